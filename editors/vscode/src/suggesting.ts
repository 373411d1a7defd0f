/**
 * By default, VS Code doesn't complete as you type in Markdown, including front matter and templates. Whether the text
 * before the cursor starts a word that the server may complete.
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

/** Whether only hyphens were typed: Enter after them should start a new line, not accept a suggestion. */
export function isRule(before: string): boolean {
  return /^-+$/.test(before);
}

function inFrontMatter(lines: readonly string[]): boolean {
  return /^---\s*$/.test(lines[0] ?? '') && lines.length > 1 && !lines.slice(1).some((line) => /^(?:---|\.\.\.)\s*$/.test(line));
}
