import * as vscode from 'vscode';
import { isMarkdown } from './languages';

const ASKED = 'agentmd.askedAboutConflicts';
const HIDES = 'agentmd.hidesConflicts';
const SETTINGS = ['codeLens.enabled', 'decorators.enabled'];

/** Whether a line of an edit block looks like the start of a merge conflict to VS Code. */
export function looksLikeConflict(text: string): boolean {
  return /^<{7} ?(?:SEARCH|ORIGINAL)\b/m.test(text);
}

/** The part of the API of VS Code's own Git support that is used here. */
interface Repository {
  readonly state: { readonly mergeChanges: readonly unknown[]; readonly onDidChange: vscode.Event<void> };
}
interface Git {
  readonly repositories: readonly Repository[];
  readonly onDidOpenRepository: vscode.Event<Repository>;
}

/** Shows or hides the marks of conflicts in the workspace. Showing them restores the user's own setting. */
async function show(marks: boolean): Promise<void> {
  const conflicts = vscode.workspace.getConfiguration('merge-conflict');
  for (const name of SETTINGS) {
    const wanted = marks ? undefined : false;
    if (conflicts.inspect(name)?.workspaceValue !== wanted) {
      await conflicts.update(name, wanted, vscode.ConfigurationTarget.Workspace);
    }
  }
}

/** Hides the marks except while Git has conflicts. */
async function follow(context: vscode.ExtensionContext): Promise<void> {
  let git: Git | undefined;
  // Write changes in order.
  let turn = Promise.resolve();
  const look = (): void => {
    const merging = git?.repositories.some(({ state }) => state.mergeChanges.length > 0) ?? false;
    turn = turn.then(() => show(merging)).catch(() => undefined);
  };
  const watch = (repository: Repository): void => {
    context.subscriptions.push(repository.state.onDidChange(look));
    look();
  };
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): Git }>('vscode.git');
  // If Git is disabled, its extension may never finish starting.
  void Promise.resolve(extension?.activate()).then((started) => {
    git = started?.getAPI(1);
    if (git) {
      git.repositories.forEach(watch);
      context.subscriptions.push(git.onDidOpenRepository(watch));
    }
  }).catch(() => undefined);
  look();
  await turn;
}

/** Asks once per workspace whether to hide merge conflicts, because VS Code mistakes edit blocks for them. */
async function ask(document: vscode.TextDocument, context: vscode.ExtensionContext): Promise<void> {
  const conflicts = vscode.workspace.getConfiguration('merge-conflict');
  const state = context.workspaceState;
  const active = vscode.extensions.getExtension('vscode.merge-conflict') && SETTINGS.some((name) => conflicts.get(name, true));
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  // The answer is kept in the settings of the workspace.
  const keeps = folder !== undefined && vscode.workspace.fs.isWritableFileSystem(folder.uri.scheme) !== false;
  if (!isMarkdown(document) || !active || state.get(ASKED) || !keeps || !looksLikeConflict(document.getText())) {
    return;
  }
  await state.update(ASKED, true);
  const message = vscode.l10n.t('VS Code takes the edit blocks in this document for merge conflicts, and its “Accept” links would break them. Hide these marks in this workspace? They come back while Git has conflicts to resolve.');
  const hide = vscode.l10n.t('Hide');
  if ((await vscode.window.showInformationMessage(message, hide, vscode.l10n.t('Keep'))) === hide) {
    await state.update(HIDES, true);
    await follow(context);
  }
}

/** Looks at each document that is shown. */
export function watchConflicts(context: vscode.ExtensionContext): vscode.Disposable {
  if (context.workspaceState.get(HIDES)) {
    void follow(context);
  }
  const look = (editor: vscode.TextEditor | undefined): void => void (editor && ask(editor.document, context));
  look(vscode.window.activeTextEditor);
  return vscode.window.onDidChangeActiveTextEditor(look);
}
