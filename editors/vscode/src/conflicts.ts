import * as vscode from 'vscode';
import { isMarkdown } from './languages';

const ASKED = 'agentmd.askedAboutConflicts';
const SETTINGS = ['codeLens.enabled', 'decorators.enabled'];

/** Whether a line of an edit block looks like the start of a merge conflict to VS Code. */
export function looksLikeConflict(text: string): boolean {
  return /^<{7} ?(?:SEARCH|ORIGINAL)\b/m.test(text);
}

/** Asks once per workspace whether to show merge conflicts, because VS Code mistakes edit blocks for them. */
async function ask(document: vscode.TextDocument, state: vscode.Memento): Promise<void> {
  const conflicts = vscode.workspace.getConfiguration('merge-conflict');
  const active = vscode.extensions.getExtension('vscode.merge-conflict') && SETTINGS.some((name) => conflicts.get(name, true));
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  // The answer is kept in the settings of the workspace.
  const keeps = folder !== undefined && vscode.workspace.fs.isWritableFileSystem(folder.uri.scheme) !== false;
  if (!isMarkdown(document) || !active || state.get(ASKED) || !keeps || !looksLikeConflict(document.getText())) {
    return;
  }
  await state.update(ASKED, true);
  const message = 'VS Code takes the edit blocks in this document for merge conflicts, and its “Accept” links would break them. Switch these marks off in this workspace, for conflicts of Git as well?';
  if ((await vscode.window.showInformationMessage(message, 'Switch Off', 'Keep')) === 'Switch Off') {
    for (const name of SETTINGS) {
      await conflicts.update(name, false, vscode.ConfigurationTarget.Workspace);
    }
  }
}

/** Looks at each document that is shown. */
export function watchConflicts(context: vscode.ExtensionContext): vscode.Disposable {
  const look = (editor: vscode.TextEditor | undefined): void => void (editor && ask(editor.document, context.workspaceState));
  look(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(look);
}
