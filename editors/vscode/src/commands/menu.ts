import * as vscode from 'vscode';
import type { Session } from '../session';

/** The menu of the status bar item. */
export async function showMenu(session: Session): Promise<void> {
  const items: (vscode.QuickPickItem & { command: string; arguments?: unknown[] })[] = [
    { label: `$(debug-restart) ${vscode.l10n.t('Restart the server')}`, command: 'agentmd.restart' },
    { label: `$(output) ${vscode.l10n.t('Show the output of the server')}`, command: 'agentmd.showOutput' },
    { label: `$(list-tree) ${vscode.l10n.t('Show the selectors of this file')}`, command: 'agentmd.showIndex' },
    { label: `$(gear) ${vscode.l10n.t('Settings')}`, command: 'workbench.action.openSettings', arguments: ['@ext:agentmd.agentmd'] },
    { label: `$(mortar-board) ${vscode.l10n.t('Getting started')}`, command: 'workbench.action.openWalkthrough', arguments: ['agentmd.agentmd#start', false] },
  ];
  const health = session.health;
  const title = health.kind === 'running' ? `agentmd ${health.version}: ${health.program.path}` : health.kind === 'starting' ? vscode.l10n.t('agentmd is starting') : health.reason;
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
  }
}
