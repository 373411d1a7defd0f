import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { layout, type Graph } from '../graph/layout';
import { graphPage } from '../graph/page';
import { reach } from '../milestones';
import { files, rows, verdict, type Overview, type Row } from '../overview';
import type { Session } from '../session';
import { needsServer } from './requirement';

const LOADED = 'agentmd.loaded';
const OVERVIEW = 'agentmd.overview';
const GRAPH = 'agentmd.graph';
const PAUSE = 500;

async function ask<T>(session: Session, command: string, uri: vscode.Uri | undefined, more: object = {}): Promise<T | undefined> {
  const client = needsServer(session, command);
  if (!client) {
    return undefined;
  }
  const argument = { ...more, ...(uri ? { uri: client.code2ProtocolConverter.asUri(uri) } : {}) };
  return client.sendRequest<T>('workspace/executeCommand', { command, arguments: [argument] });
}

async function show(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

/** The folder whose agent files are shown. */
function workspaceFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** The URI of a path in the server's answers. */
function fileUri(path: string | undefined): vscode.Uri | undefined {
  const folder = workspaceFolder();
  if (path === undefined || !folder || path.startsWith('~')) {
    return undefined;
  }
  return path.startsWith('/') ? vscode.Uri.file(path) : vscode.Uri.joinPath(folder, path);
}

/** Shows what clients load when they work on the current file, as JSON. */
export async function showLoaded(session: Session, given: unknown): Promise<void> {
  const file = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file') {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file that is saved to disk first.'));
    return;
  }
  const answer = await ask<unknown>(session, LOADED, file);
  if (answer !== undefined) {
    await show(`${JSON.stringify(answer, undefined, 2)}\n`, 'json');
  }
}

/** Draws the map of which files use which. */
export async function showGraph(session: Session): Promise<void> {
  const graph = await ask<Graph>(session, GRAPH, workspaceFolder());
  if (!graph) {
    return;
  }
  if (graph.nodes.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This folder has no agent files or programs yet.'));
    return;
  }
  const panel = vscode.window.createWebviewPanel('agentmd.graph', vscode.l10n.t('Agent Files'), vscode.ViewColumn.Active, { enableScripts: true, localResourceRoots: [], enableFindWidget: true });
  panel.webview.onDidReceiveMessage(({ path, line }: { path: string; line: number }) => {
    const uri = fileUri(path);
    const place = new vscode.Position(Math.max(line - 1, 0), 0);
    if (uri) {
      void vscode.window.showTextDocument(uri, { viewColumn: vscode.ViewColumn.Beside, selection: new vscode.Range(place, place) });
    }
  });
  panel.webview.html = graphPage(layout(graph), randomBytes(16).toString('hex'));
}

const ICONS: Readonly<Record<Row['state'], [string | undefined, string | undefined]>> = {
  group: [undefined, undefined],
  loaded: ['pass', 'testing.iconPassed'],
  partly: ['warning', 'problemsWarningIcon.foreground'],
  failing: ['error', 'problemsErrorIcon.foreground'],
  warning: ['warning', 'problemsWarningIcon.foreground'],
  program: ['symbol-method', undefined],
};

/** The icon of a kind, for groups. */
const KINDS: Readonly<Record<string, string>> = { memory: 'book', skill: 'mortar-board', agent: 'hubot', command: 'terminal', prompt: 'comment', rule: 'law', instructions: 'law' };

/** The view of agent files: what each client reads, whether it loads it, and what it costs. */
export class AgentFiles implements vscode.TreeDataProvider<Row>, vscode.TreeDragAndDropController<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  readonly dragMimeTypes = ['text/uri-list'];
  readonly dropMimeTypes = [];
  private readonly view: vscode.TreeView<Row>;
  private readonly rest: vscode.Disposable;
  private waiting: NodeJS.Timeout | undefined;
  private overview: Overview | undefined;
  private shown: readonly Row[] = [];

  constructor(private readonly session: Session) {
    this.view = vscode.window.createTreeView('agentmd.agentFiles', { treeDataProvider: this, dragAndDropController: this, showCollapseAll: true });
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.{md,mdc,toml}');
    const later = (): void => this.later();
    this.rest = vscode.Disposable.from(
      this.view,
      this.changed,
      watcher,
      watcher.onDidChange(later),
      watcher.onDidCreate(later),
      watcher.onDidDelete(later),
      session.onDidChangeHealth(later),
      this.view.onDidChangeVisibility(({ visible }) => {
        if (visible) {
          reach('hasFiles');
          later();
        }
      }),
    );
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.rest.dispose();
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  private later(): void {
    clearTimeout(this.waiting);
    if (this.view.visible) {
      this.waiting = setTimeout(() => this.refresh(), PAUSE);
    }
  }

  handleDrag(dragged: readonly Row[], data: vscode.DataTransfer): void {
    const uris = dragged.flatMap(({ path }) => fileUri(path)?.toString() ?? []);
    if (uris.length > 0) {
      data.set('text/uri-list', new vscode.DataTransferItem(uris.join('\r\n')));
    }
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(row.label, row.rows.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None);
    const [icon, colour] = ICONS[row.state];
    const name = icon ?? KINDS[row.kind ?? ''];
    item.id = row.id;
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.accessibilityInformation = { label: [row.label, row.state === 'loaded' ? verdict('loaded') : '', row.description].filter(Boolean).join(', ') };
    if (name !== undefined) {
      item.iconPath = new vscode.ThemeIcon(name, colour === undefined ? undefined : new vscode.ThemeColor(colour));
    }
    const uri = fileUri(row.path);
    if (uri) {
      item.command = { command: 'vscode.open', title: vscode.l10n.t('Open'), arguments: [uri] };
      item.contextValue = 'file';
    }
    return item;
  }

  private async load(): Promise<void> {
    const folder = workspaceFolder();
    if (!folder || this.session.health.kind !== 'running') {
      this.shown = [];
      return;
    }
    this.overview = await ask<Overview>(this.session, OVERVIEW, folder);
    this.shown = this.overview ? rows(this.overview) : [];
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row) {
      return [...row.rows];
    }
    await this.load();
    this.view.message = this.shown.length > 0 || this.session.health.kind !== 'running' ? undefined as unknown as string : vscode.l10n.t('No agent files here yet.');
    return [...this.shown];
  }

  /** Lets the user choose a file by its name, its kind or its state. */
  async search(): Promise<void> {
    if (!needsServer(this.session, OVERVIEW)) {
      return;
    }
    await this.load();
    const items = files(this.shown).map((row) => ({ label: row.label, description: row.kind ?? '', detail: [row.path, row.state === 'program' ? undefined : row.description].filter(Boolean).join(' · '), row }));
    const chosen = await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Search the agent files and programs of this folder'), matchOnDescription: true, matchOnDetail: true });
    const uri = fileUri(chosen?.row.path);
    if (uri) {
      await vscode.window.showTextDocument(uri);
    }
  }

  /** Writes a new file where a client looks for it, and opens it. */
  async create(): Promise<void> {
    const health = this.session.health;
    const folder = workspaceFolder();
    if (!needsServer(this.session, OVERVIEW) || health.kind !== 'running') {
      return;
    }
    if (folder?.scheme !== 'file') {
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a folder first: a new agent file needs a place.'));
      return;
    }
    await this.load();
    const clients = this.overview?.clients ?? [];
    const kinds = clients.flatMap(({ client, title, new: words }) => words.map((word) => ({ label: vscode.l10n.t({ message: 'New {0} for {1}', args: [word, title], comment: ['{0} is a kind of file such as “skill”, {1} a client such as “Claude Code”'] }), client, word })));
    const kind = await vscode.window.showQuickPick(kinds, { title: vscode.l10n.t('New Agent File'), placeHolder: vscode.l10n.t('What do you want to write?') });
    const name = kind && (await vscode.window.showInputBox({ title: kind.label, prompt: vscode.l10n.t('Its name, such as release-notes'), validateInput: (text) => (/^[^\s./\\-][^/\\]*$/.test(text) ? undefined : vscode.l10n.t('A name without slashes that begins with a letter or digit')) }));
    if (!kind || !name) {
      return;
    }
    const written = await run(health.program.path, ['new', kind.word, name, '--for', kind.client], folder.fsPath);
    const uri = fileUri(written.path);
    if (uri) {
      await vscode.window.showTextDocument(uri);
      this.refresh();
    } else {
      void vscode.window.showWarningMessage(written.reason);
    }
  }
}

/** Runs `agentmd new`, which prints the path of the new file, or the reason why there is none. */
function run(program: string, given: readonly string[], cwd: string): Promise<{ path?: string; reason: string }> {
  return new Promise((resolve) => {
    execFile(program, [...given], { cwd, timeout: 30_000, windowsHide: true }, (error, out, err) => {
      resolve(error ? { reason: err.trim() || error.message } : { path: out.trim(), reason: '' });
    });
  });
}
