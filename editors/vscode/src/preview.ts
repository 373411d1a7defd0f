import * as vscode from 'vscode';
import { nothingChanges, shown } from './confirmation';
import type { ApplyWorkspaceEditParams } from 'vscode-languageserver-protocol';

/** How the next edit is shown: in Refactor Preview, with a part in the document that requested it; or not at all, after a review. */
let mode: { readonly previews: string } | 'reviewed' | undefined;

async function during<T>(now: typeof mode, work: () => Thenable<T>): Promise<T> {
  mode = now;
  try {
    return await work();
  } finally {
    mode = undefined;
  }
}

/** Runs `work` so that VS Code shows any resulting edit in Refactor Preview. */
export async function previewing<T>(document: string, work: () => Thenable<T>): Promise<T> {
  return during({ previews: document }, work);
}

/** Runs `work` so that a resulting edit, whose parts were all reviewed, is applied without a preview. */
export async function announcing<T>(work: () => Thenable<T>): Promise<T> {
  return during('reviewed', work);
}

/** An edit to apply. */
interface Prepared {
  readonly params: ApplyWorkspaceEditParams;
  /** Whether the user is asked first. */
  readonly asks: boolean;
  /** Whether a message reports the changes afterwards. */
  readonly announced: boolean;
}

/** The edit to apply, prepared for how the current command shows it. */
export function previewed(params: ApplyWorkspaceEditParams): Prepared {
  if (mode === undefined) {
    return { params, asks: false, announced: false };
  }
  // As after Refactor Preview, `files.refactoring.autoSave` decides whether files are saved.
  const metadata = { ...params.metadata, isRefactoring: true };
  return mode === 'reviewed' ? { params: { ...params, metadata }, asks: false, announced: true } : { params: { ...params, edit: shown(params.edit, mode.previews) }, asks: true, announced: true };
}

/** Makes VS Code show an action that rewrites a document, or converts it into another file, in Refactor Preview. */
export function rewriting(action: vscode.CodeAction): void {
  const editor = vscode.window.activeTextEditor;
  if (action.edit && editor && action.kind && vscode.CodeActionKind.RefactorRewrite.contains(action.kind)) {
    action.edit.replace(editor.document.uri, new vscode.Range(0, 0, 0, 0), '', { label: nothingChanges(), needsConfirmation: true });
  }
}
