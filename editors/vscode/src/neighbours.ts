import * as vscode from 'vscode';
import { MessageType, type ShowMessageParams } from 'vscode-languageserver-protocol';
import { standsTwice } from './doubles';
import { isMarkdown } from './languages';
import { plainly } from './wording';

/** A server that detects another one on its document reports it itself within a few seconds. */
const PATIENCE = 8000;
let said = false;

function tell(message: string): void {
  if (!said) {
    said = true;
    void vscode.window.showWarningMessage(message, vscode.l10n.t('Show Extensions')).then((choice) => choice && vscode.commands.executeCommand('workbench.extensions.action.showEnabledExtensions'));
  }
}

/** Shows a message from the server to the user. */
export function showMessage({ type, message: written }: ShowMessageParams): void {
  const message = plainly(written);
  if (message.startsWith('Two agentmd servers')) {
    tell(message);
  } else if (type === MessageType.Error) {
    void vscode.window.showErrorMessage(message);
  } else if (type === MessageType.Warning) {
    void vscode.window.showWarningMessage(message);
  } else {
    void vscode.window.showInformationMessage(message);
  }
}

/** Warns once per session that another extension also shows agentmd's findings. */
export function watchNeighbours(): vscode.Disposable {
  let waiting: NodeJS.Timeout | undefined;
  const doubled = (): boolean => {
    const document = vscode.window.activeTextEditor?.document;
    return document !== undefined && isMarkdown(document) && standsTwice(vscode.languages.getDiagnostics(document.uri));
  };
  const look = (): void => {
    waiting = undefined;
    if (doubled()) {
      tell(vscode.l10n.t('Another extension starts agentmd for Markdown as well, so every finding appears twice. Remove agentmd from its settings, or disable one of the two extensions.'));
    }
  };
  // While findings are being replaced, they briefly appear twice.
  const later = (): void => {
    if (!said && waiting === undefined && doubled()) {
      waiting = setTimeout(look, PATIENCE);
    }
  };
  return vscode.Disposable.from(vscode.languages.onDidChangeDiagnostics(later), { dispose: () => clearTimeout(waiting) });
}
