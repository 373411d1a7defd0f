/** What VS Code calls Markdown: prompts, instructions, agents and skills have languages of their own in it. */
export const LANGUAGES: readonly string[] = ['markdown', 'prompt', 'instructions', 'chatagent', 'skill'];

/** Where documents come from that are checked: files, such as have no file yet, and those of virtual workspaces. */
export const SCHEMES: readonly string[] = ['file', 'untitled', 'vscode-vfs'];

export function isMarkdown(document: { readonly languageId: string }): boolean {
  return LANGUAGES.includes(document.languageId);
}
