import * as vscode from 'vscode';
import { applyWithPreview } from './commands/apply';
import { addToContext } from './commands/context';
import { Inventory } from './commands/inventory';
import { showMenu } from './commands/menu';
import { copySelector } from './commands/selector';
import { watchConflicts } from './conflicts';
import { Session } from './session';
import { createStatus } from './status';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const session = new Session(context);
  const inventory = new Inventory(session);
  const command = (name: string, run: (...given: unknown[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
  context.subscriptions.push(
    session,
    inventory,
    createStatus(session),
    watchConflicts(context),
    command('agentmd.restart', () => session.restart()),
    command('agentmd.showOutput', () => session.showOutput()),
    command('agentmd.showMenu', () => showMenu(session)),
    command('agentmd.showIndex', (file) => inventory.show(file as vscode.Uri | undefined)),
    command('agentmd.copySelectorAtCursor', () => copySelector(session)),
    command('agentmd.addSelectionToContext', () => addToContext(session)),
    command('agentmd.applyWithPreview', () => applyWithPreview(session)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('agentmd.server')) {
        // After the client has told the server that is to end of the change.
        setTimeout(() => void session.restart(), 50);
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => session.restart()),
  );
  await session.restart();
}
