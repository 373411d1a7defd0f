/** The language IDs of Markdown: VS Code has separate ones for prompts, instructions, agents and skills. */
export const LANGUAGES: readonly string[] = ['markdown', 'prompt', 'instructions', 'chatagent', 'skill'];

/** The URI schemes to check: files, unsaved documents, and virtual workspaces. */
export const SCHEMES: readonly string[] = ['file', 'untitled', 'vscode-vfs'];

/** The test files of programs, regardless of their language in VS Code. */
export const TESTS = '**/*.test.{yaml,yml}';

/** The JSON files around agent files, in which skills, agents, servers and plugins can be renamed. */
export const CONFIGURATION: readonly string[] = [
  '**/.{claude,codex,cursor}-plugin/{plugin,marketplace}.json',
  '**/.github/plugin/{plugin,marketplace}.json',
  '**/.claude/{settings,settings.local}.json',
  '**/.mcp.json',
  '**/.{vscode,cursor}/mcp.json',
  '**/gemini-extension.json',
];

/** The documents that the server reads. */
export const SERVED: readonly ({ readonly scheme: string; readonly language: string } | { readonly scheme: string; readonly pattern: string })[] = SCHEMES.flatMap((scheme) => [
  ...LANGUAGES.map((language) => ({ scheme, language })),
  ...[TESTS, ...CONFIGURATION].map((pattern) => ({ scheme, pattern })),
]);

export function isTest(document: { readonly fileName: string }): boolean {
  return /\.test\.ya?ml$/i.test(document.fileName);
}

export function isMarkdown(document: { readonly languageId: string }): boolean {
  return LANGUAGES.includes(document.languageId);
}
