/** The scheme of documents with the pages of rules. */
export const SCHEME = 'agentmd-page';

/** The address of the page of a rule such as `agent/front-matter`. */
export function pageOf(code: string): string {
  return `${SCHEME}:/${code}.md`;
}

/** The rule whose page is at a path. */
export function codeOf(path: string): string {
  return path.replace(/^\//, '').replace(/\.md$/, '');
}
