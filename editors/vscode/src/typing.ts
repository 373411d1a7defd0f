import * as vscode from 'vscode';
import { isMarkdown } from './languages';
import { beginsWord } from './suggesting';

/** Front matter isn't searched for after this line. */
const MOST_LINES = 500;

function completesByItself(document: vscode.TextDocument): boolean {
  const quick = vscode.workspace.getConfiguration('editor', document).get<unknown>('quickSuggestions');
  const other = typeof quick === 'object' && quick !== null ? (quick as { other?: unknown }).other : quick;
  return other === true || other === 'on';
}

/** Opens completion while front matter or a template is typed, if VS Code doesn't do so itself. */
export function watchTyping(): vscode.Disposable {
  return vscode.workspace.onDidChangeTextDocument(({ document, contentChanges, reason }) => {
    const [change] = contentChanges;
    const editor = vscode.window.activeTextEditor;
    if (contentChanges.length !== 1 || !change || reason !== undefined || !/^[A-Za-z_]$/.test(change.text) || editor?.document !== document || !isMarkdown(document)) {
      return;
    }
    const { line, character } = change.range.start;
    const before = document.lineAt(line).text.slice(0, character + 1);
    const above = line < MOST_LINES && document.lineAt(0).text.startsWith('---') ? document.getText(new vscode.Range(0, 0, line, 0)).split(/\r?\n/).slice(0, -1) : [];
    if (beginsWord([...above, before]) && !completesByItself(document)) {
      void vscode.commands.executeCommand('editor.action.triggerSuggest', { auto: true });
    }
  });
}
