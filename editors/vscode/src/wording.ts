/** Text from the server for VS Code's messages and labels, which would show backticks literally. */
export function plainly(text: string): string {
  return text.replaceAll('`', "'");
}

/** The message of a thrown value. */
export function reasonOf(error: unknown): string {
  return plainly(error instanceof Error ? error.message : String(error));
}

export function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
