import * as vscode from 'vscode';
import { standsTwice } from './doubles';
import { isMarkdown } from './languages';

/** Says once in a session that another extension shows the findings of agentmd as well. */
export function watchNeighbours(): vscode.Disposable {
  let said = false;
  let waiting: NodeJS.Timeout | undefined;
  const look = (): void => {
    const document = vscode.window.activeTextEditor?.document;
    if (said || !document || !isMarkdown(document) || !standsTwice(vscode.languages.getDiagnostics(document.uri))) {
      return;
    }
    said = true;
    const message = 'Another extension starts agentmd for Markdown as well, and every finding stands there twice. Take agentmd out of its settings, or disable one of the two extensions.';
    void vscode.window.showWarningMessage(message, 'Show Extensions').then((choice) => choice && vscode.commands.executeCommand('workbench.extensions.action.showEnabledExtensions'));
  };
  // Findings that are replaced stand there twice for a moment.
  const later = (): void => {
    clearTimeout(waiting);
    waiting = setTimeout(look, 1500);
  };
  return vscode.Disposable.from(vscode.languages.onDidChangeDiagnostics(later), { dispose: () => clearTimeout(waiting) });
}
