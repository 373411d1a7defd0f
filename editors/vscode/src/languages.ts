/** The language IDs of Markdown: VS Code has separate ones for prompts, instructions, agents and skills. */
export const LANGUAGES: readonly string[] = ['markdown', 'prompt', 'instructions', 'chatagent', 'skill'];

/** The URI schemes to check: files, unsaved documents, and virtual workspaces. */
export const SCHEMES: readonly string[] = ['file', 'untitled', 'vscode-vfs'];

/** The test files of programs, whatever language VS Code sees in them. */
export const TESTS = '**/*.test.{yaml,yml}';

export function isTest(document: { readonly fileName: string }): boolean {
  return /\.test\.ya?ml$/i.test(document.fileName);
}

export function isMarkdown(document: { readonly languageId: string }): boolean {
  return LANGUAGES.includes(document.languageId);
}
