import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { shown } from './confirmation';

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

export const previews: NonNullable<Middleware['workspace']> = {
  handleApplyEdit(params, next) {
    return next(asked ? { ...params, edit: shown(params.edit, asked) } : params, new vscode.CancellationTokenSource().token);
  },
};
