import * as vscode from 'vscode';
import { described, progress, standing, type Edit, type Standing } from './decisions';
import type { Review } from './review';

export const VIEW = 'agentmd.review';

const ICONS: Readonly<Record<Standing, [string, string | undefined]>> = {
  open: ['circle-large-outline', undefined],
  doubtful: ['question', 'problemsWarningIcon.foreground'],
  accepted: ['pass-filled', 'testing.iconPassed'],
  rejected: ['circle-slash', 'disabledForeground'],
  applied: ['check', 'disabledForeground'],
  stuck: ['error', 'problemsErrorIcon.foreground'],
};

/** The list of a review's edits, with the state of each. */
export class ReviewView implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<string | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly view: vscode.TreeView<string>;
  private readonly rest: vscode.Disposable;

  constructor(private readonly review: Review) {
    this.view = vscode.window.createTreeView(VIEW, { treeDataProvider: this, showCollapseAll: false });
    this.rest = vscode.Disposable.from(this.changed, this.view, review.onDidChange(() => this.draw()));
    this.draw();
  }

  dispose(): void {
    this.rest.dispose();
  }

  /** The edit that is selected in the list. */
  get selected(): Edit | undefined {
    return this.review.edit(this.view.selection[0]);
  }

  /** Selects an edit in the list without taking the focus. */
  async select(edit: Edit): Promise<void> {
    if (this.view.visible) {
      await this.view.reveal(edit.key, { select: true, focus: false });
    }
  }

  private draw(): void {
    const { document, edits, problem, decisions } = this.review;
    const name = document ? vscode.workspace.asRelativePath(document) : undefined;
    void vscode.commands.executeCommand('setContext', 'agentmd.reviewing', document !== undefined);
    this.view.description = name ?? '';
    const count = edits.length > 0 ? progress(edits, decisions) : document ? vscode.l10n.t('No edits to decide on.') : undefined;
    this.view.message = document ? [problem, count].filter(Boolean).join('\n') : undefined as unknown as string;
    this.changed.fire(undefined);
  }

  getChildren(key?: string): string[] {
    return key === undefined ? this.review.edits.map((edit) => edit.key) : [];
  }

  getParent(): undefined {
    return undefined;
  }

  getTreeItem(key: string): vscode.TreeItem {
    const edit = this.review.edit(key);
    if (!edit) {
      return new vscode.TreeItem('');
    }
    const decision = this.review.decisions[key];
    const found = standing(edit, decision);
    const item = new vscode.TreeItem(edit.title);
    const [icon, colour] = ICONS[found];
    item.id = key;
    item.description = described(edit, decision);
    item.iconPath = new vscode.ThemeIcon(icon, colour === undefined ? undefined : new vscode.ThemeColor(colour));
    item.contextValue = `edit.${found}`;
    item.tooltip = edit.message?.replaceAll('`', '') ?? edit.title;
    item.accessibilityInformation = { label: [edit.title, item.description || vscode.l10n.t('not decided')].join(', ') };
    item.command = { command: 'agentmd.showEdit', title: vscode.l10n.t('Show the Change'), arguments: [key] };
    return item;
  }
}
