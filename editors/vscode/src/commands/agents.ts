import * as vscode from 'vscode';
import { rows, type Costs, type Row } from '../costs';
import type { Session } from '../session';
import { needsServer } from './requirement';

const LOADED = 'agentmd.loaded';
const COST = 'agentmd.cost';
const GRAPH = 'agentmd.graph';

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

/** Shows what clients load when they work on the current file, as JSON. */
export async function showLoaded(session: Session, given: unknown): Promise<void> {
  const file = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
  if (file?.scheme !== 'file') {
    void vscode.window.showInformationMessage('Open a file that is saved to disk first.');
    return;
  }
  const answer = await ask<unknown>(session, LOADED, file);
  if (answer !== undefined) {
    await show(`${JSON.stringify(answer, undefined, 2)}\n`, 'json');
  }
}

/** Shows who uses whom as Markdown with a flowchart, which previews draw. */
export async function showGraph(session: Session): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chart = await ask<string>(session, GRAPH, folder, { format: 'mermaid' });
  if (chart !== undefined) {
    await show(`# Agent files\n\n\`\`\`mermaid\n${chart}\`\`\`\n`, 'markdown');
  }
}

/** The view of agent files: what each client loads, and what it costs. */
export class AgentFiles implements vscode.TreeDataProvider<Row>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.Disposable;

  constructor(private readonly session: Session) {
    const saved = vscode.workspace.onDidSaveTextDocument((document) => {
      if (/\.(md|mdc|toml)$/.test(document.fileName)) {
        this.refresh();
      }
    });
    this.view = vscode.Disposable.from(vscode.window.registerTreeDataProvider('agentmd.agentFiles', this), saved, this.changed);
  }

  dispose(): void {
    this.view.dispose();
  }

  refresh(): void {
    this.changed.fire(undefined);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const state = row.rows.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
    const item = new vscode.TreeItem(row.label, state);
    item.description = row.description;
    if (row.warns === true) {
      item.iconPath = new vscode.ThemeIcon('warning');
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (row.path !== undefined && folder && !row.path.startsWith('~')) {
      const uri = row.path.startsWith('/') ? vscode.Uri.file(row.path) : vscode.Uri.joinPath(folder, row.path);
      item.command = { command: 'vscode.open', title: 'Open', arguments: [uri] };
      item.resourceUri = uri;
    }
    return item;
  }

  async getChildren(row?: Row): Promise<Row[]> {
    if (row) {
      return row.rows;
    }
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    if (!folder || this.session.health.kind !== 'running') {
      return [];
    }
    const costs = await ask<Costs>(this.session, COST, folder);
    return costs ? rows(costs) : [];
  }
}
