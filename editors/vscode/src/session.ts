import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State, type LanguageClientOptions } from 'vscode-languageclient/node';
import { find, isProgramFound, type Missing, type Program } from './binary';
import { consents } from './consent';
import { offersLastRun, runsPrograms } from './commands/programs';
import { SERVED } from './languages';
import { machine } from './machine';
import { overlaps } from './overlaps';
import { showMessage } from './neighbours';
import { obstacles } from './obstacles';
import { EXPLAIN, explain, linksPages } from './pages';
import { noticesReplies } from './replies';
import { Restarts } from './restarts';
import { REFERENCES, showReferences, type Referred } from './references';
import { copying, declaresAbilities } from './selectors';
import { forServer } from './settings';
import { readVersion, type Version } from './version';

/** The state of the server. */
export type Health =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly program: Program; readonly version: string }
  | { readonly kind: 'stopped'; readonly reason: string };

const CHANNEL = 'agentmd';
/** The step of the walkthrough that explains it, which needs no network. */
const INSTALLING = { category: 'agentmd.agentmd#start', step: 'agentmd.agentmd#start#program' };

/** Writes the client's own error messages only to the output, since the session shows readable ones. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

/** The server of this window: finds, starts, watches and stops it. */
export class Session implements vscode.Disposable {
  private readonly output = vscode.window.createOutputChannel(CHANNEL, { log: true });
  private readonly changed = new vscode.EventEmitter<Health>();
  private readonly stale = new vscode.EventEmitter<void>();
  private readonly restarts = new Restarts();
  private running: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private asked = false;
  private missing: Missing | undefined;
  private now: Health = { kind: 'stopped', reason: vscode.l10n.t('The agentmd server has not been started yet: it starts with the first file that it reads.') };
  readonly onDidChangeHealth = this.changed.event;
  /** Fires when files have changed on which the server's answers depend. */
  readonly onDidChangeFiles = this.stale.event;

  constructor(private readonly context: vscode.ExtensionContext) {}

  get health(): Health {
    return this.now;
  }

  get client(): LanguageClient | undefined {
    return this.now.kind === 'running' ? this.running : undefined;
  }

  /** Makes VS Code ask for the lenses again, and notifies everything else that depends on the same files. */
  refreshLenses(): void {
    const feature = this.running?.getFeature('textDocument/codeLens');
    vscode.workspace.textDocuments.forEach((document) => feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire());
    this.stale.fire();
  }

  showOutput(): void {
    this.output.show(true);
  }

  /** Explains why the server isn't running, and suggests a fix. */
  explain(): void {
    if (this.missing) {
      void this.tellMissing(this.missing);
    } else if (this.now.kind === 'stopped') {
      void this.offer(this.now.reason);
    } else {
      void vscode.window.showInformationMessage(vscode.l10n.t('The agentmd server is starting. Try again in a moment.'));
    }
  }

  /** Stops the server if it's running, and starts it. Concurrent calls run in order. */
  restart(): Promise<void> {
    this.asked = true;
    this.restarts.forget();
    this.turn = this.turn.then(() => this.stop()).then(() => this.start());
    return this.turn;
  }

  /** Restarts the server if it has been started before. */
  restartIfWanted(): Promise<void> {
    return this.asked ? this.restart() : this.turn;
  }

  /** Starts the server if it hasn't been started before. */
  startOnce(): Promise<void> {
    return this.asked ? this.turn : this.restart();
  }

  dispose(): void {
    void this.stop();
    this.output.dispose();
    this.changed.dispose();
    this.stale.dispose();
  }

  private set(health: Health): void {
    this.now = health;
    this.changed.fire(health);
  }

  private async stop(): Promise<void> {
    const client = this.running;
    this.running = undefined;
    this.set({ kind: 'stopped', reason: vscode.l10n.t('The agentmd server was stopped.') });
    await client?.dispose(2000).catch((error: unknown) => this.output.warn(String(error)));
  }

  private minimum(): Version {
    const written = (this.context.extension.packageJSON as { agentmd?: { minimum?: string } }).agentmd?.minimum ?? '';
    return readVersion(written) ?? { text: '0.0.0', parts: [0, 0, 0] };
  }

  private async start(): Promise<void> {
    this.set({ kind: 'starting' });
    const found = await find(machine, {
      setting: vscode.workspace.getConfiguration('agentmd').get('server.path', ''),
      folders: (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file').map((folder) => folder.uri.fsPath),
      trusted: vscode.workspace.isTrusted,
      extension: this.context.extensionPath,
      minimum: this.minimum(),
      consents: consents(this.context.globalState),
    });
    if (!isProgramFound(found)) {
      this.output.error(found.message);
      this.missing = found;
      this.set({ kind: 'stopped', reason: found.message });
      void this.tellMissing(found);
      return;
    }
    this.missing = undefined;
    this.output.info(`agentmd ${found.version.text} (${found.origin}): ${found.path}`);
    const client = this.createClient(found);
    this.running = client;
    client.onDidChangeState(({ newState }) => {
      if (this.running === client && newState === State.Running) {
        this.set({ kind: 'running', program: found, version: client.initializeResult?.serverInfo?.version ?? found.version.text });
      }
    });
    try {
      await client.start();
    } catch (error) {
      this.output.error(error instanceof Error ? error.message : String(error));
      const reason = vscode.l10n.t("The agentmd server did not start: '{0} server' ended before it answered. The output says why.", found.path);
      this.running = undefined;
      this.set({ kind: 'stopped', reason });
      void this.offer(reason);
    }
  }

  private createClient(program: Program): LanguageClient {
    let answered = false;
    const options: LanguageClientOptions = {
      documentSelector: [...SERVED],
      // If another extension runs a server, only this one warns, and only once.
      initializationOptions: { agentmd: forServer(plain(vscode.workspace.getConfiguration('agentmd'))), warnsOfTwins: true },
      outputChannel: this.output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      markdown: { supportHtml: false },
      initializationFailedHandler: () => false,
      errorHandler: { error: () => ({ action: ErrorAction.Continue, handled: true }), closed: () => (answered ? this.crashed() : { action: CloseAction.DoNotRestart, handled: true }) },
      middleware: {
        ...overlaps,
        provideCodeLenses: (document, token, next) => offersLastRun(document, token, (one, other) => Promise.resolve(noticesReplies.provideCodeLenses?.(one, other, next) ?? next(one, other))),
        ...linksPages,
        ...obstacles,
        executeCommand: (command, given, next) => local(command, given) ?? copying(command, given, (name, values) => obstacles.executeCommand?.(name, values, next) ?? next(name, values)),
        workspace: {
          ...obstacles.workspace,
          configuration: async (params, token, next) => {
            const sections = await next(params, token);
            return Array.isArray(sections) ? sections.map(forServer) : sections;
          },
        },
      },
    };
    /** Commands that need no answer from the server. */
    const local = (command: string, given: readonly unknown[]): Promise<unknown> | undefined => {
      const [argument] = given as [{ code?: unknown } & Partial<Referred> | undefined];
      return command === EXPLAIN ? explain(argument?.code) : command === REFERENCES ? showReferences(client, argument as Referred) : undefined;
    };
    const run = { command: program.path, args: ['server'], options: { env: { ...process.env } } };
    const client = new QuietClient('agentmd', 'agentmd', { run, debug: run }, options);
    client.registerFeature(declaresAbilities);
    client.registerFeature(runsPrograms);
    client.onDidChangeState(({ newState }) => {
      answered ||= newState === State.Running;
      if (newState === State.Running) {
        client.onNotification('window/showMessage', showMessage);
        client.onRequest('workspace/codeLens/refresh', () => this.refreshLenses());
      }
    });
    return client;
  }

  private crashed(): { action: CloseAction; handled: boolean } {
    const verdict = this.restarts.crashed();
    this.output.error(verdict.message);
    this.set(verdict.restart ? { kind: 'starting' } : { kind: 'stopped', reason: verdict.message });
    void this.offer(verdict.message, !verdict.restart);
    return { action: verdict.restart ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
  }

  private async offer(message: string, restart = true): Promise<void> {
    const [output, again] = [vscode.l10n.t('Show Output'), vscode.l10n.t('Restart')];
    const choice = await vscode.window.showWarningMessage(message, output, ...(restart ? [again] : []));
    if (choice === output) {
      this.showOutput();
    } else if (choice === again) {
      await this.restart();
    }
  }

  private async tellMissing(found: Missing): Promise<void> {
    const written = vscode.workspace.getConfiguration('agentmd').get('server.path', '').trim() !== '';
    const [install, settings, choose, again] = [vscode.l10n.t('How to Install'), vscode.l10n.t('Open Settings'), vscode.l10n.t('Choose Program…'), vscode.l10n.t('Try Again')];
    const choice = await vscode.window.showErrorMessage(found.message, install, written ? settings : choose, again);
    if (choice === install) {
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', INSTALLING, false);
    } else if (choice === settings) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'agentmd.server.path');
    } else if (choice === choose) {
      const [file] = (await vscode.window.showOpenDialog({ canSelectMany: false, openLabel: vscode.l10n.t('Use This Program'), title: vscode.l10n.t('Where is agentmd?') })) ?? [];
      if (file) {
        // Changing the setting starts the server.
        await vscode.workspace.getConfiguration('agentmd').update('server.path', file.fsPath, vscode.ConfigurationTarget.Global);
      }
    } else if (choice === again) {
      await this.restart();
    }
  }
}

/** A configuration as plain values. */
function plain(configuration: vscode.WorkspaceConfiguration): unknown {
  return JSON.parse(JSON.stringify(configuration));
}
