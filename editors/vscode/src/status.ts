import * as vscode from 'vscode';
import { SERVED } from './languages';
import { reach } from './milestones';
import type { Program } from './binary';
import type { Health, Session } from './session';

function found({ path, origin }: Program): string {
  switch (origin) {
    case 'setting':
      return vscode.l10n.t('`{0}`, found in the setting agentmd.server.path', path);
    case 'workspace':
      return vscode.l10n.t('`{0}`, found in the workspace', path);
    case 'path':
      return vscode.l10n.t('`{0}`, found in the PATH', path);
    case 'extension':
      return vscode.l10n.t('`{0}`, found in the extension', path);
  }
}

function describe(health: Health): { text: string; tooltip: string; wrong: boolean } {
  switch (health.kind) {
    case 'starting':
      return { text: '$(sync~spin) agentmd', tooltip: vscode.l10n.t('The agentmd server is starting.'), wrong: false };
    case 'running':
      return { text: `agentmd ${health.version}`, tooltip: found(health.program), wrong: false };
    case 'stopped':
      return { text: '$(warning) agentmd', tooltip: health.reason, wrong: true };
  }
}

/** The status bar item for files that the server reads, and the language status item (the braces next to the language). */
export function createStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('agentmd.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'agentmd';
  item.command = 'agentmd.showMenu';
  const language = vscode.languages.createLanguageStatusItem('agentmd.language', SERVED);
  language.name = 'agentmd';
  const draw = (): void => {
    const { health } = session;
    const shown = describe(health);
    item.text = shown.text;
    item.tooltip = new vscode.MarkdownString(`${shown.tooltip}\n\n${vscode.l10n.t('Click to restart the server, show its output, or open the settings.')}`);
    item.backgroundColor = shown.wrong ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    language.text = health.kind === 'running' ? `agentmd ${health.version}` : 'agentmd';
    language.detail = health.kind === 'running' ? health.program.path : shown.tooltip;
    language.busy = health.kind === 'starting';
    language.severity = shown.wrong ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    language.command = { title: vscode.l10n.t('More…'), command: 'agentmd.showMenu' };
    void vscode.commands.executeCommand('setContext', 'agentmd.running', health.kind === 'running');
    if (health.kind === 'running') {
      reach('hasStarted');
    }
    const document = vscode.window.activeTextEditor?.document;
    if (document && vscode.languages.match(SERVED, document) > 0) {
      item.show();
    } else {
      item.hide();
    }
  };
  draw();
  return vscode.Disposable.from(item, language, session.onDidChangeHealth(draw), vscode.window.onDidChangeActiveTextEditor(draw), vscode.workspace.onDidOpenTextDocument(draw));
}
