import * as vscode from 'vscode';
import { editing } from '../obstacles';
import { announcing } from '../preview';
import { APPLY } from '../replies';
import type { Session } from '../session';
import { accepted, choice, neighbour, remembered, standing, type Choice, type Decision, type Decisions, type Edit, type Reviews } from './decisions';
import type { Comparison, Side } from './texts';

const REVIEW = 'agentmd.review';
const COMPARE = 'agentmd.compare';
const REVIEWS = 'agentmd.reviews';
const CURRENT = 'agentmd.currentReview';
const PAUSE = 150;

/** The server's answer about a document. */
interface Answer {
  readonly version: number;
  readonly edits: readonly Edit[];
}

/** Whether a document is neither on disk nor in an editor. VS Code keeps the text of a closed document for minutes, even if its file was deleted. */
async function isGone(document: vscode.Uri): Promise<boolean> {
  const shown = vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.toString()));
  return !shown && document.scheme === 'file' && !(await vscode.workspace.fs.stat(document).then(() => true, () => false));
}

function gone(document: vscode.Uri): string {
  return vscode.l10n.t("{0} doesn't exist any more. Your decisions are kept in case it comes back.", vscode.workspace.asRelativePath(document));
}

/** The review of one reply: its current edits, and the decisions on them, which are kept when the window is closed. */
export class Review implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when edits, decisions, or their effects change. */
  readonly onDidChange = this.changed.event;
  private readonly rest: vscode.Disposable[];
  private watching: vscode.Disposable | undefined;
  private waiting: NodeJS.Timeout | undefined;
  private turn = 0;
  private newest: Promise<void> = Promise.resolve();
  private version: number | undefined;
  private found: readonly Edit[] = [];
  private trouble: string | undefined;
  private about: vscode.Uri | undefined;

  constructor(
    private readonly session: Session,
    private readonly memory: vscode.Memento,
  ) {
    this.rest = [this.changed, session.onDidChangeHealth(({ kind }) => kind === 'running' && this.later()), session.onDidChangeFiles(() => this.later())];
    const before = memory.get<string>(CURRENT);
    if (before !== undefined) {
      this.look(vscode.Uri.parse(before, true));
    }
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.watching?.dispose();
    this.rest.forEach((one) => one.dispose());
  }

  /** The reply under review. */
  get document(): vscode.Uri | undefined {
    return this.about;
  }

  get edits(): readonly Edit[] {
    return this.found;
  }

  /** The reason why the edits can't be listed, or why they've changed. */
  get problem(): string | undefined {
    return this.trouble;
  }

  get decisions(): Decisions {
    return this.decisionsOn(this.about);
  }

  private decisionsOn(document: vscode.Uri | undefined): Decisions {
    return (document && this.memory.get<Reviews>(REVIEWS, {})[document.toString()]?.decisions) ?? {};
  }

  edit(key: string | undefined): Edit | undefined {
    return this.found.find((edit) => edit.key === key);
  }

  next(from: string | undefined, step: 1 | -1, waiting: boolean): Edit | undefined {
    return neighbour(this.found, this.decisions, from, step, waiting);
  }

  /** Starts or continues the review of a document. */
  async start(document: vscode.Uri): Promise<void> {
    if (document.toString() !== this.about?.toString()) {
      this.found = [];
      this.trouble = undefined;
      this.look(document);
      await this.memory.update(CURRENT, document.toString());
    }
    await this.refresh();
  }

  /** Ends the review. The decisions stay, in case it is started again. */
  async close(): Promise<void> {
    this.watching?.dispose();
    this.watching = undefined;
    this.about = undefined;
    this.found = [];
    this.trouble = undefined;
    await this.memory.update(CURRENT, undefined);
    this.changed.fire();
  }

  async decide(decisions: Readonly<Record<string, Decision | undefined>>): Promise<void> {
    if (!this.about) {
      return;
    }
    const all = Object.entries({ ...this.decisions, ...decisions });
    const kept = Object.fromEntries(all.flatMap(([key, decision]) => (decision ? [[key, decision] as const] : [])));
    const reviews = this.memory.get<Reviews>(REVIEWS, {});
    await this.memory.update(REVIEWS, remembered(reviews, this.about.toString(), kept, Date.now()));
    this.changed.fire();
  }

  private look(document: vscode.Uri): void {
    this.about = document;
    this.watching?.dispose();
    const own = (uri: vscode.Uri): boolean => uri.toString() === document.toString() || this.found.some(({ file }) => file !== null && vscode.Uri.parse(file, true).toString() === uri.toString());
    const files = vscode.workspace.createFileSystemWatcher('**/*');
    const noticed = (uri: vscode.Uri): void => {
      if (own(uri)) {
        this.later();
      }
    };
    this.watching = vscode.Disposable.from(
      files,
      files.onDidChange(noticed),
      files.onDidCreate(noticed),
      files.onDidDelete(noticed),
      vscode.workspace.onDidChangeTextDocument(({ document: changed, contentChanges }) => contentChanges.length > 0 && noticed(changed.uri)),
      // A reply that was deleted while it was open in an editor is gone once the editor is closed.
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.forEach(({ input }) => input instanceof vscode.TabInputText && noticed(input.uri))),
      vscode.workspace.onDidRenameFiles(({ files: renamed }) => renamed.forEach(({ oldUri, newUri }) => {
        if (oldUri.toString() === document.toString()) {
          void this.follow(newUri);
        }
      })),
    );
    this.changed.fire();
  }

  /** Keeps the decisions of a renamed reply. */
  private async follow(document: vscode.Uri): Promise<void> {
    const reviews = this.memory.get<Reviews>(REVIEWS, {});
    await this.memory.update(REVIEWS, remembered(reviews, document.toString(), this.decisions, Date.now()));
    await this.start(document);
  }

  private later(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.refresh(), PAUSE);
  }

  private async ask<T>(command: string, argument: object): Promise<T> {
    const { client } = this.session;
    if (!client || !this.about) {
      throw new Error(vscode.l10n.t('The agentmd server is not running.'));
    }
    if (await isGone(this.about)) {
      throw new Error(gone(this.about));
    }
    // The server answers only about open documents, and VS Code closes those that no editor shows.
    await vscode.workspace.openTextDocument(this.about);
    const uri = client.code2ProtocolConverter.asUri(this.about);
    return client.sendRequest<T>('workspace/executeCommand', { command, arguments: [{ ...argument, uri }] });
  }

  /** Lists the edits again. */
  refresh(): Promise<void> {
    clearTimeout(this.waiting);
    this.newest = this.list(++this.turn);
    return this.newest;
  }

  private async list(turn: number): Promise<void> {
    const document = this.about;
    if (!document) {
      return;
    }
    let answer: Answer | undefined;
    let trouble: string | undefined;
    try {
      answer = await this.ask<Answer>(REVIEW, {});
    } catch (error) {
      trouble = await this.explain(document, error);
    }
    if (turn !== this.turn) {
      // Drop an older answer, and return the newer one instead.
      return this.newest;
    }
    if (document !== this.about) {
      return;
    }
    this.trouble = trouble;
    if (answer) {
      this.found = answer.edits;
      this.version = answer.version;
    }
    this.changed.fire();
  }

  private async explain(document: vscode.Uri, error: unknown): Promise<string> {
    if (await isGone(document)) {
      return gone(document);
    }
    if (this.session.health.kind !== 'running') {
      const state = this.session.health.kind === 'stopped' ? this.session.health.reason : vscode.l10n.t('The agentmd server is starting.');
      return vscode.l10n.t('{0} Your decisions are kept.', state);
    }
    return vscode.l10n.t("The edits of {0} can't be listed: {1}", vscode.workspace.asRelativePath(document), error instanceof Error ? error.message : String(error));
  }

  /** The files before and after the edits of a side, or the reason why they're unknown. */
  async compare(side: Side): Promise<Comparison | string> {
    try {
      if (!this.about) {
        await this.start(vscode.Uri.parse(side.document, true));
      } else if (side.document !== this.about.toString()) {
        const name = vscode.workspace.asRelativePath(vscode.Uri.parse(side.document, true));
        return `${vscode.l10n.t('This change is part of the review of {0}. Start that review again to see it.', name)}\n`;
      } else if (this.found.length === 0) {
        await this.refresh();
      }
      const wanted = side.key === undefined ? this.all() : this.one(side);
      if (!wanted) {
        return `${this.trouble ?? vscode.l10n.t('The reply has changed, and this change is no longer in it.')}\n`;
      }
      return await this.ask<Comparison>(COMPARE, wanted);
    } catch (error) {
      return `${error instanceof Error ? error.message : String(error)}\n`;
    }
  }

  private one(side: Side): { choices: Choice[]; to: string } | undefined {
    const edit = this.edit(side.key);
    if (!edit) {
      return undefined;
    }
    if (side.choice) {
      return { choices: [side.choice], to: edit.to };
    }
    const decision = this.decisions[edit.key];
    const decided = standing(edit, decision) === 'accepted';
    const chosen: Choice = decided ? choice(edit, decision) : edit.state === 'likely' ? { block: edit.block, confirmed: true } : { block: edit.block };
    return { choices: [chosen], to: edit.to };
  }

  /** The accepted edits, or all that fit if none is accepted yet. */
  all(): { choices: Choice[]; to: string } | undefined {
    const [first] = accepted(this.found, this.decisions);
    if (first) {
      return { to: first[0], choices: first[1] };
    }
    const open = this.found.filter((edit) => standing(edit, this.decisions[edit.key]) === 'open');
    const to = open[0]?.to;
    return to === undefined ? undefined : { to, choices: open.filter((edit) => edit.to === to).map(({ block }) => ({ block })) };
  }

  /** The files that `all` changes. */
  async files(): Promise<Comparison | string> {
    if (this.found.length === 0) {
      await this.refresh();
    }
    const wanted = this.all();
    return wanted ? this.ask<Comparison>(COMPARE, wanted) : this.trouble ?? vscode.l10n.t('Accept a change first: nothing here can be applied as it is.');
  }

  /** Applies all accepted edits or none. Only edits of the reply itself are applied separately, after those of files. */
  async apply(): Promise<void> {
    await this.refresh();
    if (this.trouble !== undefined) {
      throw new Error(this.trouble);
    }
    for (const [to, choices] of accepted(this.found, this.decisions)) {
      const { client } = this.session;
      const document = this.about;
      if (!client || !document) {
        return;
      }
      const uri = client.code2ProtocolConverter.asUri(document);
      const argument = { uri, version: this.version, choices, to };
      await editing(() => announcing(() => client.sendRequest('workspace/executeCommand', { command: APPLY, arguments: [argument] })));
      // Edits of the reply itself make a new version of it.
      await this.refresh();
    }
  }
}
