/** The language IDs of Markdown: VS Code has separate ones for prompts, instructions, agents and skills. */
export const LANGUAGES: readonly string[] = ['markdown', 'prompt', 'instructions', 'chatagent', 'skill'];

/** The URI schemes to check: files, unsaved documents, and virtual workspaces. */
export const SCHEMES: readonly string[] = ['file', 'untitled', 'vscode-vfs'];

export function isMarkdown(document: { readonly languageId: string }): boolean {
  return LANGUAGES.includes(document.languageId);
}
