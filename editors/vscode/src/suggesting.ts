/**
 * VS Code completes nothing while prose is typed in Markdown, and front matter and templates are Markdown to it. Whether
 * what was typed before the cursor is the beginning of a word that the server may know more of.
 */
export function beginsWord(lines: readonly string[]): boolean {
  const line = lines.at(-1) ?? '';
  if (inFrontMatter(lines)) {
    // A key, an item of a list, or a value that is one word so far.
    return /^\s*(?:- +)*(?:[\w-]+: +)?[A-Za-z_]$/.test(line);
  }
  if (/^ {0,3}\[[A-Z]{2}$/.test(line)) {
    // A marker of a reply.
    return true;
  }
  const open = line.lastIndexOf('{{');
  return open >= 0 && line.indexOf('}}', open) < 0 && /(?:^|[\s({|])[A-Za-z_]$/.test(line);
}

/** Whether hyphens were typed by themselves: Enter behind them is to begin a line, not to write what a list offers. */
export function isRule(before: string): boolean {
  return /^-+$/.test(before);
}

function inFrontMatter(lines: readonly string[]): boolean {
  return /^---\s*$/.test(lines[0] ?? '') && lines.length > 1 && !lines.slice(1).some((line) => /^(?:---|\.\.\.)\s*$/.test(line));
}
