import * as vscode from 'vscode';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { reach } from './milestones';
import { summary, type Change } from './summary';
import { touched } from './writable';

/** A file before an edit; without text, it didn't exist. */
interface Before {
  readonly uri: vscode.Uri;
  readonly text: string | undefined;
}

/** A file that an edit changed. */
interface Changed extends Before {
  readonly after: string | undefined;
}

async function read(uri: vscode.Uri): Promise<string | undefined> {
  return vscode.workspace.openTextDocument(uri).then((document) => document.getText(), () => undefined);
}

/** The current state of the files that an edit touches. */
export async function remember(edit: WorkspaceEdit): Promise<Before[]> {
  return Promise.all(touched(edit).map(async ({ uri }) => {
    const file = vscode.Uri.parse(uri, true);
    return { uri: file, text: await read(file) };
  }));
}

function whole(document: vscode.TextDocument): vscode.Range {
  return document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
}

/** Restores the files, unless one has changed since. */
async function undo(changes: readonly Changed[]): Promise<void> {
  for (const { uri, after } of changes) {
    if ((await read(uri)) !== after) {
      const name = vscode.workspace.asRelativePath(uri);
      void vscode.window.showWarningMessage(vscode.l10n.t("'{0}' has changed since, so nothing was undone. Undo the edits file by file.", name));
      return;
    }
  }
  const edit = new vscode.WorkspaceEdit();
  for (const { uri, text, after } of changes) {
    if (text === undefined) {
      edit.deleteFile(uri, { ignoreIfNotExists: true });
    } else if (after === undefined) {
      edit.createFile(uri, { contents: new TextEncoder().encode(text) });
    } else {
      edit.replace(uri, whole(await vscode.workspace.openTextDocument(uri)), text);
    }
  }
  // As with the edit itself, `files.refactoring.autoSave` decides whether the files are saved.
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    void vscode.window.showWarningMessage(vscode.l10n.t('The edits could not be undone. Undo them file by file.'));
  }
}

/** Reports what an edit changed, and offers to undo it. */
export async function report(before: readonly Before[]): Promise<void> {
  const all = await Promise.all(before.map(async (file) => ({ ...file, after: await read(file.uri) })));
  const changes = all.filter(({ text, after }) => text !== after);
  if (changes.length === 0) {
    return;
  }
  reach('hasApplied');
  const named = changes.map(({ uri, text, after }): Change => ({
    name: vscode.workspace.asRelativePath(uri),
    kind: text === undefined ? 'created' : after === undefined ? 'deleted' : 'changed',
  }));
  const undoing = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(summary(named), undoing)) === undoing) {
    await undo(changes);
  }
}
