import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Range } from 'vscode-languageserver-protocol';
import { isTest, TESTS } from '../languages';
import type { Overview } from '../overview';
import { outcomes, problems, readReport, summary, testArguments, type Outcome, type Report } from '../reports';
import type { Session } from '../session';
import { execute, findProgram, TEST } from './programs';

const CASES = 'agentmd.cases';
const OVERVIEW = 'agentmd.overview';

/** The server's answer about a file. */
interface Cases {
  readonly cases: readonly { readonly name: string; readonly range: Range }[];
}

/** The cases of programs, in VS Code's Testing view and, if they fail, as diagnostics. */
export class Tests implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController('agentmd.tests', 'agentmd');
  private readonly results = vscode.languages.createDiagnosticCollection('agentmd test');
  private readonly rest: vscode.Disposable;

  constructor(private readonly session: Session) {
    this.controller.resolveHandler = (item) => (item ? this.read(item) : this.discover());
    this.controller.refreshHandler = () => this.discover();
    const profile = this.controller.createRunProfile(vscode.l10n.t('Test'), vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{test.yaml,test.yml,md}');
    const changed = (uri: vscode.Uri): void => void this.reread(uri);
    this.rest = vscode.Disposable.from(
      this.controller,
      this.results,
      profile,
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate((uri) => isTest({ fileName: uri.fsPath }) && void this.look(uri)),
      watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString())),
      // Results are for the old text of the file.
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => contentChanges.length > 0 && this.results.delete(document.uri)),
      vscode.commands.registerCommand(TEST, (given) => this.test(given)),
    );
  }

  dispose(): void {
    this.rest.dispose();
  }

  private async ask<T>(command: string, argument: object): Promise<T | undefined> {
    const client = this.session.client;
    return client?.sendRequest<T>('workspace/executeCommand', { command, arguments: [argument] }).catch(() => undefined);
  }

  /** Finds the test files of the workspace, and the programs that contain cases. */
  private async discover(): Promise<void> {
    await this.session.startOnce();
    const files = await vscode.workspace.findFiles(TESTS, '**/node_modules/**');
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const overview = folder ? await this.ask<Overview>(OVERVIEW, { uri: folder.toString() }) : undefined;
    const programs = folder ? (overview?.programs ?? []).map((program) => vscode.Uri.joinPath(folder, program.path)) : [];
    const found = await Promise.all([...files, ...programs].map((uri) => this.look(uri)));
    const ids = new Set(found.flatMap((item) => item?.id ?? []));
    this.controller.items.forEach((item) => ids.has(item.id) || this.controller.items.delete(item.id));
  }

  private async reread(uri: vscode.Uri): Promise<void> {
    if (isTest({ fileName: uri.fsPath }) || this.controller.items.get(uri.toString())) {
      await this.look(uri);
    }
  }

  /** The item of a file with its cases; `undefined` for a file without cases. */
  private async look(uri: vscode.Uri): Promise<vscode.TestItem | undefined> {
    const item = this.controller.items.get(uri.toString()) ?? this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    await this.read(item);
    if (item.children.size === 0) {
      this.controller.items.delete(item.id);
      return undefined;
    }
    this.controller.items.add(item);
    return item;
  }

  private async read(item: vscode.TestItem): Promise<void> {
    const { client } = this.session;
    if (!client || !item.uri) {
      return;
    }
    const found = await this.ask<Cases>(CASES, { uri: client.code2ProtocolConverter.asUri(item.uri) });
    item.children.replace((found?.cases ?? []).map(({ name, range }) => {
      const child = this.controller.createTestItem(`${item.id}#${name}`, name, item.uri);
      child.range = client.protocol2CodeConverter.asRange(range);
      return child;
    }));
  }

  /** The command of the lens: runs all cases of a file, or one. */
  private async test(given: unknown): Promise<Report | undefined> {
    const found = await findProgram(this.session, given);
    if (!found) {
      return undefined;
    }
    const item = await this.look(vscode.Uri.file(found.file));
    const one = item && found.wanted.case !== undefined ? item.children.get(`${item.id}#${found.wanted.case}`) : undefined;
    const chosen = one ?? item;
    const request = new vscode.TestRunRequest(chosen ? [chosen] : undefined);
    const run = this.controller.createTestRun(request, vscode.l10n.t('Test {0}', path.basename(found.file)));
    try {
      return await this.execute(run, found.file, found.wanted.case, item, run.token);
    } finally {
      run.end();
    }
  }

  /** Runs the cases that were chosen in the Testing view: whole files together, other cases one by one. */
  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const all: vscode.TestItem[] = [];
    this.controller.items.forEach((item) => all.push(item));
    for (const item of request.include ?? all) {
      if (token.isCancellationRequested) {
        break;
      }
      const found = item.uri ? await findProgram(this.session, { uri: item.uri.toString() }) : undefined;
      if (!found) {
        break;
      }
      await this.execute(run, found.file, item.parent ? item.label : undefined, item.parent ?? item, token);
    }
    run.end();
  }

  private async execute(run: vscode.TestRun, file: string, name: string | undefined, item: vscode.TestItem | undefined, token: vscode.CancellationToken): Promise<Report | undefined> {
    const health = this.session.health;
    if (health.kind !== 'running') {
      return undefined;
    }
    const children: vscode.TestItem[] = [];
    item?.children.forEach((child) => children.push(child));
    const chosen = children.filter(({ label }) => name === undefined || label === name);
    chosen.forEach((child) => run.started(child));
    const folder = path.dirname(file);
    const title = name ?? path.basename(file);
    const answer = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Testing {0}', title) }, () => execute(health.program.path, testArguments(file, name), folder, token));
    const report = readReport(answer.out);
    if (!report) {
      const reason = `agentmd test: ${answer.err.trim() || vscode.l10n.t('no report')}`;
      chosen.forEach((child) => run.errored(child, new vscode.TestMessage(reason)));
      if (chosen.length === 0) {
        void vscode.window.showErrorMessage(reason);
      }
      return undefined;
    }
    await this.show(report, folder);
    const found = outcomes(report, (written) => vscode.Uri.file(path.resolve(folder, written)).toString());
    for (const child of chosen) {
      this.tell(run, child, found.get(child.id));
    }
    run.appendOutput(`${title}: ${summary(report)}\r\n`);
    vscode.window.setStatusBarMessage(`$(beaker) ${summary(report)}`, 8000);
    return report;
  }

  private tell(run: vscode.TestRun, item: vscode.TestItem, outcome: Outcome | undefined): void {
    if (!outcome) {
      run.skipped(item);
      return;
    }
    const message = new vscode.TestMessage(outcome.message);
    if (item.uri && item.range) {
      message.location = new vscode.Location(item.uri, item.range);
    }
    if (outcome.outcome === 'passed') {
      run.passed(item);
    } else if (outcome.outcome === 'failed') {
      run.failed(item, message);
    } else {
      run.errored(item, message);
    }
  }

  /** Marks the cases that didn't pass. */
  private async show(report: Report, folder: string): Promise<void> {
    for (const [file, rows] of problems(report)) {
      const uri = vscode.Uri.file(path.resolve(folder, file));
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
  }
}
