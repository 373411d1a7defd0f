import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ClientCapabilities, Middleware, StaticFeature } from 'vscode-languageclient/node';
import { debugArguments, isRunnable, runArguments, type Runnable } from '../reports';
import type { Session } from '../session';

/** The commands of the lenses. The server doesn't run programs, and offers these only to clients that do. */
export const RUN = 'agentmd.runProgram';
export const TEST = 'agentmd.testProgram';
const DEBUG = 'agentmd.debugLastRun';
const RUNS = 'agentmd.runs';

/** Declares that the client has the commands. */
export const runsPrograms: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as { agentmd?: object };
    capabilities.experimental = { ...experimental, agentmd: { ...experimental.agentmd, runProgram: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** The inputs of the last runs, by file; `null` for the program's sample. */
type Runs = Readonly<Record<string, string | null>>;

/** A saved file, and the program that runs it. */
export interface Found {
  readonly wanted: Runnable;
  readonly file: string;
  readonly program: string;
  readonly folder: vscode.WorkspaceFolder | undefined;
}

/** The programs whose last run can be shown again. */
let recorded: (document: vscode.TextDocument) => boolean = () => false;

/** Adds a lens for the last run to those of the server. */
export const offersLastRun: NonNullable<Middleware['provideCodeLenses']> = async (document, token, next) => {
  const found = await next(document, token);
  const run = found?.find((lens) => lens.command?.command === RUN);
  if (found && run && recorded(document)) {
    const command = { title: vscode.l10n.t('Debug the last run'), command: DEBUG, arguments: [{ uri: document.uri.toString() }] };
    found.splice(found.indexOf(run) + 1, 0, new vscode.CodeLens(run.range, command));
  }
  return found;
};

/** The saved file of a lens or of the editor, and the program that runs it; otherwise says what is missing. */
export async function findProgram(session: Session, given: unknown): Promise<Found | undefined> {
  const editor = vscode.window.activeTextEditor?.document.uri;
  const wanted = isRunnable(given) ? given : editor ? { uri: editor.toString() } : undefined;
  const uri = wanted && vscode.Uri.parse(wanted.uri, true);
  if (!wanted || uri?.scheme !== 'file') {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a program that is saved to disk first.'));
    return undefined;
  }
  if (!vscode.workspace.isTrusted) {
    void vscode.window.showWarningMessage(vscode.l10n.t('Programs can start other programs, so they run only in folders that you trust.'));
    return undefined;
  }
  const health = session.health;
  if (health.kind !== 'running') {
    session.explain();
    return undefined;
  }
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open?.isDirty === true && !(await open.save())) {
    return undefined;
  }
  return { wanted, file: uri.fsPath, program: health.program.path, folder: vscode.workspace.getWorkspaceFolder(uri) };
}

/** Runs programs in a terminal. Each run is recorded, so that the last one can be looked at again without asking the model. */
export class Programs implements vscode.Disposable {
  private readonly subscriptions: vscode.Disposable;
  private readonly inputs = new Map<string, string>();
  /** The runs under way, by the folder where each is recorded. */
  private readonly pending = new Map<string, { readonly file: string; readonly input: string | null }>();

  constructor(
    private readonly session: Session,
    private readonly context: vscode.ExtensionContext,
  ) {
    recorded = ({ uri }) => this.runs[uri.fsPath] !== undefined;
    const command = (name: string, run: (given: unknown) => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
    this.subscriptions = vscode.Disposable.from(
      command(RUN, (given) => this.run(given)),
      command('agentmd.debugLastRun', (given) => this.debug(given)),
      vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        // VS Code drops unknown fields from a task's definition, but keeps its arguments.
        const ended = execution.task.execution;
        const place = ended instanceof vscode.ProcessExecution ? ended.args.find((argument) => this.pending.has(argument)) : undefined;
        const run = place === undefined ? undefined : this.pending.get(place);
        if (place !== undefined && run && exitCode !== undefined) {
          this.pending.delete(place);
          void this.remember(run.file, run.input, place);
        }
      }),
    );
  }

  dispose(): void {
    recorded = () => false;
    this.subscriptions.dispose();
  }

  private get runs(): Runs {
    return this.context.workspaceState.get<Runs>(RUNS, {});
  }

  /** Where a run of a file is recorded: in the extension's own folder, not in the workspace. */
  private place(file: string): string | undefined {
    const storage = this.context.storageUri ?? this.context.globalStorageUri;
    return storage.scheme === 'file' ? path.join(storage.fsPath, 'runs', createHash('sha256').update(file).digest('hex').slice(0, 16)) : undefined;
  }

  /** Remembers a run if it has called the model at least once, since otherwise there is nothing to show again. */
  private async remember(file: string, input: string | null, place: string): Promise<void> {
    const made = await vscode.workspace.fs.readDirectory(vscode.Uri.file(place)).then((found) => found.length > 0, () => false);
    if (made) {
      await this.context.workspaceState.update(RUNS, { ...this.runs, [file]: input });
      this.session.refreshLenses();
    }
  }

  private async run(given: unknown): Promise<void> {
    const found = await findProgram(this.session, given);
    if (!found) {
      return;
    }
    const sample = found.wanted.sample === true;
    const input = sample ? undefined : await this.ask(found.file);
    if (input === undefined && !sample) {
      return;
    }
    const place = this.place(found.file);
    if (place !== undefined) {
      await rm(place, { recursive: true, force: true });
      this.pending.set(place, { file: found.file, input: input ?? null });
    }
    const name = path.basename(found.file);
    await this.execute(found, vscode.l10n.t('Run {0}', name), runArguments(found.file, input, place));
  }

  /** Shows each request, call and reply of the last run, without sending or starting anything. */
  private async debug(given: unknown): Promise<void> {
    const found = await findProgram(this.session, given);
    const place = found && this.place(found.file);
    const input = found && this.runs[found.file];
    if (!found || place === undefined) {
      return;
    }
    if (input === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This program has not been run yet. Run it first.'));
      return;
    }
    await this.execute(found, vscode.l10n.t('Last run of {0}', path.basename(found.file)), debugArguments(found.file, input ?? undefined, place));
  }

  private async execute(found: Found, title: string, given: readonly string[]): Promise<void> {
    const execution = new vscode.ProcessExecution(found.program, [...given], { cwd: path.dirname(found.file) });
    const task = new vscode.Task({ type: 'process' }, found.folder ?? vscode.TaskScope.Workspace, title, 'agentmd', execution);
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
    await vscode.tasks.executeTask(task);
  }

  private async ask(file: string): Promise<string | undefined> {
    const input = await vscode.window.showInputBox({
      title: vscode.l10n.t('Input of {0}', path.basename(file)),
      prompt: vscode.l10n.t('As JSON. A program with a sample runs with that.'),
      value: this.inputs.get(file) ?? '{}',
      ignoreFocusOut: true,
      validateInput: (text) => {
        try {
          JSON.parse(text);
          return undefined;
        } catch (error) {
          return String(error);
        }
      },
    });
    if (input !== undefined) {
      this.inputs.set(file, input);
    }
    return input;
  }
}

const LARGEST = 64 * 1024 * 1024;

/** Runs the program and returns what it prints. */
export function execute(program: string, given: readonly string[], cwd: string, token?: vscode.CancellationToken): Promise<{ out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(program, [...given], { cwd, maxBuffer: LARGEST, windowsHide: true }, (error, out, err) => {
      resolve({ out, err: err || (error?.message ?? '') });
    });
    token?.onCancellationRequested(() => child.kill());
  });
}
