import * as vscode from 'vscode';
import { accepted, progress, standing, type Decision, type Edit, type Place } from '../review/decisions';
import { Review } from '../review/review';
import { sideOf, sideUri, Texts, SCHEME, type Side } from '../review/texts';
import { ReviewView, VIEW } from '../review/view';
import type { Session } from '../session';
import { plainly, reasonOf } from '../wording';
import { needsServer } from './requirement';

/** The command of the server's lens. */
export const START = 'agentmd.startReview';

/** The key of an edit, which identifies a row of the list and is the argument of its command. */
type Given = string | undefined;

/** The review of a reply's edits: each is compared with its file and accepted or rejected; accepted edits are applied together. */
export class Reviewing implements vscode.Disposable {
  private readonly review: Review;
  private readonly view: ReviewView;
  private readonly texts: Texts;
  private readonly rest: vscode.Disposable;

  constructor(
    private readonly session: Session,
    memory: vscode.Memento,
  ) {
    this.review = new Review(session, memory);
    this.texts = new Texts((side) => this.review.compare(side));
    this.view = new ReviewView(this.review);
    const command = (name: string, run: (given: unknown) => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
    this.rest = vscode.Disposable.from(
      this.review,
      this.texts,
      this.view,
      this.review.onDidChange(() => this.texts.refresh()),
      command('agentmd.startReview', (given) => this.start(given)),
      command('agentmd.showEdit', (given) => this.show(this.found(given))),
      command('agentmd.acceptEdit', (given) => this.accept(this.found(given))),
      command('agentmd.rejectEdit', (given) => this.decide(this.found(given), { verdict: 'rejected' })),
      command('agentmd.reopenEdit', (given) => this.decide(this.found(given), undefined)),
      command('agentmd.nextEdit', () => this.move(1)),
      command('agentmd.previousEdit', () => this.move(-1)),
      command('agentmd.showAllEdits', () => this.showAll()),
      command('agentmd.acceptAllEdits', () => this.decideAll('accepted')),
      command('agentmd.rejectAllEdits', () => this.decideAll('rejected')),
      command('agentmd.applyAccepted', () => this.apply()),
      command('agentmd.closeReview', () => this.close()),
    );
  }

  dispose(): void {
    this.rest.dispose();
  }

  private async start(given: unknown): Promise<void> {
    const named = (given as { uri?: unknown } | undefined)?.uri;
    const document = typeof named === 'string' ? vscode.Uri.parse(named, true) : given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    if (!document || !needsServer(this.session, 'agentmd.review')) {
      return;
    }
    await this.review.start(document);
    if (this.review.edits.length === 0) {
      void vscode.window.showInformationMessage(this.review.problem ?? vscode.l10n.t('This document contains no edits to review.'));
      await this.review.close();
      return;
    }
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    const first = this.review.next(undefined, 1, true) ?? this.review.edits[0];
    if (first) {
      await this.show(first);
    }
  }

  /** The edit that a command is about: that of a row, of the open comparison, or the selected one. */
  private found(given: unknown): Edit | undefined {
    const key: Given = typeof given === 'string' ? given : this.shown;
    return this.review.edit(key) ?? this.view.selected;
  }

  /** The edit whose comparison is open. */
  private get shown(): string | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? sideOf(input.modified)?.key : undefined;
  }

  private title(edit: Edit): string {
    const { edits } = this.review;
    return edits.length === 1 ? edit.title : vscode.l10n.t('{0} ({1} of {2})', edit.title, edits.indexOf(edit) + 1, edits.length);
  }

  private async show(edit: Edit | undefined, choice?: Side['choice'], preserveFocus = false): Promise<void> {
    const document = this.review.document;
    if (!edit || !document) {
      return;
    }
    const found = standing(edit, this.review.decisions[edit.key]);
    await this.view.select(edit);
    if (found === 'stuck') {
      await this.showBlock(edit);
      return;
    }
    // Until a place is chosen, show the first one.
    const [first] = edit.state === 'ambiguous' && found !== 'accepted' ? edit.places : [];
    const shown = choice ?? (first && { block: edit.block, at: first.line });
    const side: Omit<Side, 'side'> = { document: document.toString(), key: edit.key, ...(shown ? { choice: shown } : {}) };
    const name = edit.name ?? document.path.split('/').pop() ?? '';
    const [before, after] = (['before', 'after'] as const).map((which) => sideUri(name, { ...side, side: which }));
    const title = shown?.at === undefined ? this.title(edit) : vscode.l10n.t('{0}, at line {1}?', this.title(edit), shown.at + 1);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true, preserveFocus });
  }

  /** Shows an edit in the reply, if there is nothing to compare. */
  private async showBlock(edit: Edit): Promise<void> {
    const document = this.review.document;
    if (!document) {
      return;
    }
    const place = new vscode.Position(edit.range.start.line, edit.range.start.character);
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(place, place), preview: true, preserveFocus: true });
    // Focus the list, so that the keys of the review still work.
    await vscode.commands.executeCommand(`${VIEW}.focus`);
    vscode.window.setStatusBarMessage(`$(error) ${edit.title}: ${edit.message?.replaceAll('`', '') ?? vscode.l10n.t("can't be applied")}`, 10_000);
  }

  private async accept(edit: Edit | undefined): Promise<void> {
    if (!edit) {
      return;
    }
    if (edit.state === 'refused' || edit.state === 'done') {
      await this.show(edit);
      return;
    }
    if (edit.state === 'fits') {
      await this.decide(edit, { verdict: 'accepted' });
      return;
    }
    const chosen = await this.choose(edit);
    if (chosen) {
      await this.decide(edit, chosen);
    }
  }

  /** Lets the user choose a place, and shows each one while it's selected. */
  private choose(edit: Edit): Promise<Decision | undefined> {
    interface Row extends vscode.QuickPickItem {
      readonly decision: Decision;
      readonly place?: Place;
    }
    const likely = edit.state === 'likely';
    const rows: Row[] = edit.places.map(({ line, text }) => {
      const place: Place = likely ? { confirmed: true } : { at: line };
      return { label: `$(arrow-right) ${vscode.l10n.t('Line {0}: {1}', line + 1, text)}`, place, decision: { verdict: 'accepted', place } };
    });
    if (!likely) {
      rows.push({ label: `$(checklist) ${rows.length === 2 ? vscode.l10n.t('Both places') : vscode.l10n.t('All {0} places', rows.length)}`, place: { everywhere: true }, decision: { verdict: 'accepted', place: { everywhere: true } } });
    }
    rows.push({ label: `$(close) ${vscode.l10n.t('Reject this change')}`, decision: { verdict: 'rejected' } });
    const pick = vscode.window.createQuickPick<Row>();
    pick.title = likely ? vscode.l10n.t('{0}: is this the place?', edit.title) : vscode.l10n.t('{0}: where does it belong?', edit.title);
    pick.placeholder = edit.message?.replaceAll('`', '') ?? '';
    pick.items = rows;
    pick.ignoreFocusOut = true;
    return new Promise((resolve) => {
      const preview = ([row]: readonly Row[]): void => {
        if (row?.place) {
          void this.show(edit, { block: edit.block, ...row.place }, true);
        }
      };
      pick.onDidChangeActive(preview);
      pick.onDidAccept(() => {
        resolve(pick.selectedItems[0]?.decision);
        pick.hide();
      });
      pick.onDidHide(() => {
        resolve(undefined);
        pick.dispose();
      });
      pick.show();
    });
  }

  private async decide(edit: Edit | undefined, decision: Decision | undefined): Promise<void> {
    if (!edit) {
      return;
    }
    await this.review.decide({ [edit.key]: decision });
    const next = decision ? this.review.next(edit.key, 1, true) : undefined;
    if (next) {
      await this.show(next);
    } else if (decision) {
      await this.offer();
    }
  }

  /** Offers to apply the accepted edits, once everything is decided. */
  private async offer(): Promise<void> {
    const { edits, decisions } = this.review;
    const count = [...accepted(edits, decisions).values()].flat().length;
    const message = vscode.l10n.t('Everything is decided. {0}.', progress(edits, decisions));
    const apply = count === 1 ? vscode.l10n.t('Apply 1 Change') : vscode.l10n.t('Apply {0} Changes', count);
    if (count === 0) {
      void vscode.window.showInformationMessage(message);
    } else if ((await vscode.window.showInformationMessage(message, apply)) !== undefined) {
      await this.apply();
    }
  }

  private async decideAll(verdict: Decision['verdict']): Promise<void> {
    const { edits, decisions } = this.review;
    const open = edits.filter((edit) => {
      const found = standing(edit, decisions[edit.key]);
      return found === 'open' || (verdict === 'rejected' && found === 'doubtful');
    });
    await this.review.decide(Object.fromEntries(open.map(({ key }) => [key, { verdict }])));
    const next = this.review.next(undefined, 1, true);
    if (next) {
      await this.show(next);
    } else {
      await this.offer();
    }
  }

  private async move(step: 1 | -1): Promise<void> {
    const from = this.shown ?? this.view.selected?.key;
    await this.show(this.review.next(from, step, false));
  }

  /** Shows all changes in one editor: the accepted edits, or all that fit if none is accepted yet. */
  private async showAll(): Promise<void> {
    const document = this.review.document;
    const found = document ? await this.review.files().catch((error: unknown) => String(error)) : undefined;
    if (!document || found === undefined) {
      return;
    }
    if (typeof found === 'string') {
      void vscode.window.showInformationMessage(found);
      return;
    }
    const [refusal] = found.refused;
    if (refusal) {
      void vscode.window.showWarningMessage(vscode.l10n.t("These changes don't fit together: {0}.", plainly(refusal.message)));
      return;
    }
    const sides = found.files.map(({ uri, name }) => {
      const side = { document: document.toString(), name };
      return [vscode.Uri.parse(uri, true), sideUri(name, { ...side, side: 'before' }), sideUri(name, { ...side, side: 'after' })];
    });
    await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes of {0}', vscode.workspace.asRelativePath(document)), sides);
  }

  private async apply(): Promise<void> {
    if (!needsServer(this.session, 'agentmd.apply')) {
      return;
    }
    const { edits, decisions } = this.review;
    if (accepted(edits, decisions).size === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Accept a change first.'));
      return;
    }
    try {
      await this.review.apply();
    } catch (error) {
      void vscode.window.showWarningMessage(vscode.l10n.t('Nothing was changed: {0}. Your decisions are kept.', reasonOf(error)));
    }
  }

  private async close(): Promise<void> {
    const own = (input: unknown): boolean => (input instanceof vscode.TabInputTextDiff && input.modified.scheme === SCHEME);
    const open = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ input }) => own(input));
    await vscode.window.tabGroups.close(open);
    await this.review.close();
  }
}
