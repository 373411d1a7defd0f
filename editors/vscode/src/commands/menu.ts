import * as vscode from 'vscode';
import type { Session } from '../session';

/** The menu of the status bar item. */
export async function showMenu(session: Session): Promise<void> {
  const items: (vscode.QuickPickItem & { command: string; arguments?: unknown[] })[] = [
    { label: '$(debug-restart) Restart the server', command: 'agentmd.restart' },
    { label: '$(output) Show what the server wrote', command: 'agentmd.showOutput' },
    { label: '$(list-tree) Show the selectors of this file', command: 'agentmd.showIndex' },
    { label: '$(gear) Settings', command: 'workbench.action.openSettings', arguments: ['@ext:agentmd.agentmd'] },
    { label: '$(mortar-board) Getting started', command: 'workbench.action.openWalkthrough', arguments: ['agentmd.agentmd#start', false] },
  ];
  const health = session.health;
  const title = health.kind === 'running' ? `agentmd ${health.version}: ${health.program.path}` : health.kind === 'starting' ? 'agentmd is starting' : health.reason;
  const chosen = await vscode.window.showQuickPick(items, { title });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
  }
}
