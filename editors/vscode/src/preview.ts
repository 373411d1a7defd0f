import { shown } from './confirmation';
import type { ApplyWorkspaceEditParams } from 'vscode-languageserver-protocol';

/** The document whose edits should be previewed. */
let asked: string | undefined;

/** Runs `work` so that VS Code shows any resulting edit in Refactor Preview. */
export async function previewing<T>(document: string, work: () => Thenable<T>): Promise<T> {
  asked = document;
  try {
    return await work();
  } finally {
    asked = undefined;
  }
}

/** The edit to apply, with a preview if requested. */
export function previewed(params: ApplyWorkspaceEditParams): ApplyWorkspaceEditParams {
  return asked ? { ...params, edit: shown(params.edit, asked) } : params;
}
