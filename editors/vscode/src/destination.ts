/** Whether the text before the cursor is inside the destination of a Markdown link: VS Code completes paths there itself. */
export function inDestination(before: string): boolean {
  return /\]\([^()\s]*$/.test(before) || /^ {0,3}\[[^\]]+\]:\s*\S*$/.test(before);
}
