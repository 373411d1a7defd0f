import * as vscode from 'vscode';
import { AgentFiles, showGraph, showLoaded } from './commands/agents';
import { applyWithPreview } from './commands/apply';
import { addToContext } from './commands/context';
import { Inventory } from './commands/inventory';
import { showMenu } from './commands/menu';
import { Programs } from './commands/programs';
import { Reviewing } from './commands/review';
import { copySelector } from './commands/selector';
import { Tests } from './commands/tests';
import { watchConflicts } from './conflicts';
import { provideInsertions } from './insertions';
import { SERVED } from './languages';
import { watchMilestones } from './milestones';
import { watchNeighbours } from './neighbours';
import { providePages } from './pages';
import { Previews } from './promptPreview';
import { extendMarkdownIt } from './rendering';
import { Session } from './session';
import { createStatus } from './status';
import { translate } from './translation';
import { watchTyping } from './typing';

/** Another copy of this extension, under another publisher's name, that was started before this one. */
function twin(own: vscode.Extension<unknown>): vscode.Extension<unknown> | undefined {
  return vscode.extensions.all.find((one) => one.id !== own.id && one.isActive && (one.packageJSON as { name?: string }).name === 'agentmd');
}

function isServed(document: vscode.TextDocument): boolean {
  return vscode.languages.match(SERVED, document) > 0;
}

/** Starts the server with the first file that it reads, because the extension can be activated before one is open. */
function startWithFile(session: Session): vscode.Disposable {
  if (vscode.workspace.textDocuments.some(isServed)) {
    void session.restart();
    return { dispose: () => undefined };
  }
  const waiting = vscode.workspace.onDidOpenTextDocument((document) => {
    if (isServed(document)) {
      waiting.dispose();
      void session.startOnce();
    }
  });
  return waiting;
}

/** Returns the plugin for VS Code's own Markdown support, without waiting for the server. */
export function activate(context: vscode.ExtensionContext): { extendMarkdownIt: typeof extendMarkdownIt } {
  translate(vscode.l10n.bundle, vscode.env.language);
  const other = twin(context.extension);
  if (other) {
    void vscode.window.showWarningMessage(vscode.l10n.t("Two extensions start agentmd: '{0}' is running, and '{1}' stays off. Uninstall one of them.", other.id, context.extension.id));
    return { extendMarkdownIt: (md) => md };
  }
  const session = new Session(context);
  const inventory = new Inventory(session);
  const agentFiles = new AgentFiles(session);
  const previews = new Previews(session, context.workspaceState);
  const command = (name: string, run: (...given: unknown[]) => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
  context.subscriptions.push(
    session,
    inventory,
    agentFiles,
    new Programs(session, context),
    new Tests(session),
    new Reviewing(session, context.workspaceState),
    previews,
    createStatus(session),
    watchConflicts(context),
    watchNeighbours(),
    watchMilestones(),
    providePages(session),
    provideInsertions(session),
    watchTyping(),
    command('agentmd.restart', () => session.restart()),
    command('agentmd.showOutput', () => session.showOutput()),
    command('agentmd.showMenu', () => showMenu(session)),
    command('agentmd.showIndex', (file) => inventory.show(file as vscode.Uri | undefined)),
    command('agentmd.copySelectorAtCursor', () => copySelector(session)),
    command('agentmd.addSelectionToContext', () => addToContext(session)),
    command('agentmd.showLoaded', (file) => showLoaded(session, file)),
    command('agentmd.previewPrompt', () => previews.show()),
    command('agentmd.showGraph', () => showGraph(session)),
    command('agentmd.refreshAgentFiles', () => agentFiles.refresh()),
    command('agentmd.searchAgentFiles', () => agentFiles.search()),
    command('agentmd.newAgentFile', () => agentFiles.create()),
    command('agentmd.applyWithPreview', () => applyWithPreview(session)),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('agentmd.server')) {
        // After the client has notified the old server of the change.
        setTimeout(() => void session.restartIfWanted(), 50);
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => session.restartIfWanted()),
    startWithFile(session),
  );
  return { extendMarkdownIt };
}
