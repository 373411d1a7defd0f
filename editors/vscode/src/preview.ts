import { shown } from './confirmation';
import type { ApplyWorkspaceEditParams } from 'vscode-languageserver-protocol';

/** The document whose edits are to be shown before they are made. */
let asked: string | undefined;

/** Runs `work` so that VS Code shows the edit that it leads to in Refactor Preview, whatever the edit is. */
export async function previewing<T>(document: string, work: () => Thenable<T>): Promise<T> {
  asked = document;
  try {
    return await work();
  } finally {
    asked = undefined;
  }
}

/** The edit as it is to be made: shown first, where that was asked for. */
export function previewed(params: ApplyWorkspaceEditParams): ApplyWorkspaceEditParams {
  return asked ? { ...params, edit: shown(params.edit, asked) } : params;
}
