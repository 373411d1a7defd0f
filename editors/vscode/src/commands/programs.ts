import { execFile } from 'node:child_process';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ClientCapabilities, StaticFeature } from 'vscode-languageclient/node';
import { isRunnable, problems, readReport, runArguments, summary, testArguments, type Report, type Runnable } from '../reports';
import type { Session } from '../session';

/** The commands of the lenses. The server doesn't run programs, and only offers these to clients that do. */
export const RUN = 'agentmd.runProgram';
export const TEST = 'agentmd.testProgram';

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

const LARGEST = 64 * 1024 * 1024;

/** Runs programs in a terminal, and shows the results of their tests as diagnostics. */
export class Programs implements vscode.Disposable {
  private readonly results = vscode.languages.createDiagnosticCollection('agentmd test');
  private readonly inputs = new Map<string, string>();
  private readonly subscriptions: vscode.Disposable;

  constructor(private readonly session: Session) {
    // A result is about the file as it was.
    const changed = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        this.results.delete(document.uri);
      }
    });
    const commands = [vscode.commands.registerCommand(RUN, (given) => this.run(given)), vscode.commands.registerCommand(TEST, (given) => this.test(given))];
    this.subscriptions = vscode.Disposable.from(this.results, changed, ...commands);
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private async run(given: unknown): Promise<void> {
    const found = await this.find(given);
    if (!found) {
      return;
    }
    const input = found.wanted.sample === true ? undefined : await this.ask(found.file);
    if (input === undefined && found.wanted.sample !== true) {
      return;
    }
    const execution = new vscode.ProcessExecution(found.program, runArguments(found.file, input), { cwd: path.dirname(found.file) });
    const task = new vscode.Task({ type: 'process' }, found.folder ?? vscode.TaskScope.Workspace, `Run ${path.basename(found.file)}`, 'agentmd', execution);
    task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, clear: true };
    await vscode.tasks.executeTask(task);
  }

  private async ask(file: string): Promise<string | undefined> {
    const input = await vscode.window.showInputBox({
      title: `Input of ${path.basename(file)}`,
      prompt: 'As JSON. A program with `sample` runs with that.',
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

  private async test(given: unknown): Promise<Report | undefined> {
    const found = await this.find(given);
    if (!found) {
      return undefined;
    }
    const title = found.wanted.case ?? path.basename(found.file);
    const answer = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: `Testing ${title}` }, () => execute(found.program, testArguments(found.file, found.wanted.case), path.dirname(found.file)));
    const report = readReport(answer.out);
    if (!report) {
      void vscode.window.showErrorMessage(`agentmd test: ${answer.err.trim() || 'no report'}`);
      return undefined;
    }
    for (const [file, rows] of problems(report)) {
      const uri = vscode.Uri.file(path.resolve(path.dirname(found.file), file));
      const document = await vscode.workspace.openTextDocument(uri);
      const diagnostics = rows.map(({ line, message, isWarning }) => {
        const range = document.lineAt(Math.min(line, document.lineCount - 1)).range;
        const severity = isWarning ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error;
        const diagnostic = new vscode.Diagnostic(range, message, severity);
        diagnostic.source = 'agentmd test';
        return diagnostic;
      });
      this.results.set(uri, diagnostics);
    }
    vscode.window.setStatusBarMessage(`$(beaker) ${summary(report)}`, 8000);
    return report;
  }

  /** The saved file of a lens or of the editor, and the program that runs it. */
  private async find(given: unknown): Promise<{ wanted: Runnable; file: string; program: string; folder: vscode.WorkspaceFolder | undefined } | undefined> {
    const editor = vscode.window.activeTextEditor?.document.uri;
    const wanted = isRunnable(given) ? given : editor ? { uri: editor.toString() } : undefined;
    const uri = wanted && vscode.Uri.parse(wanted.uri, true);
    if (!wanted || uri?.scheme !== 'file') {
      void vscode.window.showInformationMessage('Open a program that is saved to disk first.');
      return undefined;
    }
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showWarningMessage('Programs can start other programs, so they run only in folders that you trust.');
      return undefined;
    }
    const health = this.session.health;
    if (health.kind !== 'running') {
      this.session.explain();
      return undefined;
    }
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
    if (open?.isDirty === true && !(await open.save())) {
      return undefined;
    }
    return { wanted, file: uri.fsPath, program: health.program.path, folder: vscode.workspace.getWorkspaceFolder(uri) };
  }
}

function execute(program: string, given: readonly string[], cwd: string): Promise<{ out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(program, [...given], { cwd, maxBuffer: LARGEST, windowsHide: true }, (error, out, err) => {
      resolve({ out, err: err || (error?.message ?? '') });
    });
  });
}
