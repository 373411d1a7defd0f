/** A finding, with the fields used here. */
export interface Finding {
  readonly source?: string | undefined;
  readonly code?: unknown;
  readonly message: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
}

/** Whether a finding of agentmd appears twice at its place, because another extension started agentmd for the document. */
export function standsTwice(findings: readonly Finding[]): boolean {
  const seen = new Set<string>();
  return findings
    .filter((finding) => finding.source === 'agentmd')
    .map(({ code, message, range }) => JSON.stringify([code, message, range.start.line, range.start.character]))
    .some((finding) => seen.size === seen.add(finding).size);
}
