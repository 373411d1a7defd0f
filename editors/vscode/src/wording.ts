/** A text of the server as VS Code shows messages and labels: as they are, so that backticks would only be in the way. */
export function plainly(text: string): string {
  return text.replaceAll('`', "'");
}

/** The message of whatever was thrown. */
export function reasonOf(error: unknown): string {
  return plainly(error instanceof Error ? error.message : String(error));
}

export function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
