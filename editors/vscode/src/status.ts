import * as vscode from 'vscode';
import type { Health, Session } from './session';

function describe(health: Health): { text: string; tooltip: string; wrong: boolean } {
  switch (health.kind) {
    case 'starting':
      return { text: '$(sync~spin) agentmd', tooltip: 'The agentmd server is starting', wrong: false };
    case 'running':
      return { text: `agentmd ${health.version}`, tooltip: `\`${health.program.path}\`, found in ${health.program.origin}`, wrong: false };
    case 'stopped':
      return { text: '$(warning) agentmd', tooltip: health.reason, wrong: true };
  }
}

/** The item in the status bar, shown beside Markdown files. */
export function createStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentmd.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'agentmd';
  item.command = 'agentmd.showMenu';
  const draw = (): void => {
    const shown = describe(session.health);
    item.text = shown.text;
    item.tooltip = new vscode.MarkdownString(`${shown.tooltip}\n\nClick for what can be done.`);
    item.backgroundColor = shown.wrong ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    void vscode.commands.executeCommand('setContext', 'agentmd.running', session.health.kind === 'running');
    if (vscode.window.activeTextEditor?.document.languageId === 'markdown' || shown.wrong) {
      item.show();
    } else {
      item.hide();
    }
  };
  draw();
  return vscode.Disposable.from(item, session.onDidChangeHealth(draw), vscode.window.onDidChangeActiveTextEditor(draw));
}
