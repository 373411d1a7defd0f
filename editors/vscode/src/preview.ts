import * as vscode from 'vscode';
import { NOTHING, shown } from './confirmation';
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

/** Makes VS Code show an action that rewrites a document, or converts it into another file, in Refactor Preview. */
export function rewriting(action: vscode.CodeAction): void {
  const editor = vscode.window.activeTextEditor;
  if (action.edit && editor && action.kind && vscode.CodeActionKind.RefactorRewrite.contains(action.kind)) {
    action.edit.replace(editor.document.uri, new vscode.Range(0, 0, 0, 0), '', { label: NOTHING, needsConfirmation: true });
  }
}
