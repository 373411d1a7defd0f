/** The logic of a review that needs no editor: which edits are decided, which one is next, and which are applied. */
import * as l10n from '@vscode/l10n';
import { number } from '../translation';

/** An edit from the list of `agentmd.review`. */
export interface Edit {
  readonly block: number;
  readonly to: string;
  readonly key: string;
  readonly range: { readonly start: { readonly line: number; readonly character: number } };
  readonly name: string | null;
  readonly file: string | null;
  readonly title: string;
  readonly state: 'fits' | 'likely' | 'ambiguous' | 'done' | 'refused';
  readonly message: string | null;
  readonly line: number | null;
  readonly places: readonly { readonly line: number; readonly text: string }[];
}

/** The user's choice of a place for an edit if the server isn't certain. */
export type Place = { readonly at: number } | { readonly everywhere: true } | { readonly confirmed: true };

export interface Decision {
  readonly verdict: 'accepted' | 'rejected';
  readonly place?: Place;
}

/** The decisions on the edits of one document, by the keys of the edits. */
export type Decisions = Readonly<Record<string, Decision>>;

/** The state of an edit in a review. A decision never makes an edit fit. */
export type Standing = 'open' | 'doubtful' | 'accepted' | 'rejected' | 'applied' | 'stuck';

/** Whether a place that was chosen earlier is still valid. */
function holds(edit: Edit, place: Place | undefined): boolean {
  if (edit.state === 'fits') {
    return true;
  }
  if (place === undefined) {
    return false;
  }
  if ('at' in place) {
    return edit.state === 'ambiguous' && edit.places.some(({ line }) => line === place.at);
  }
  return 'confirmed' in place ? edit.state === 'likely' : edit.state === 'ambiguous';
}

export function standing(edit: Edit, decision: Decision | undefined): Standing {
  if (edit.state === 'done') {
    return 'applied';
  }
  if (decision?.verdict === 'rejected') {
    return 'rejected';
  }
  if (edit.state === 'refused') {
    return 'stuck';
  }
  if (decision?.verdict === 'accepted' && holds(edit, decision.place)) {
    return 'accepted';
  }
  return edit.state === 'fits' ? 'open' : 'doubtful';
}

/** Whether an edit waits for a decision. */
export function waits(edit: Edit, decisions: Decisions): boolean {
  const found = standing(edit, decisions[edit.key]);
  return found === 'open' || found === 'doubtful';
}

/** The edit after or before another one, in document order and wrapping around. With `waiting`, only those without a decision. */
export function neighbour(edits: readonly Edit[], decisions: Decisions, from: string | undefined, step: 1 | -1, waiting: boolean): Edit | undefined {
  const at = edits.findIndex(({ key }) => key === from);
  const start = at < 0 && step < 0 ? 0 : at;
  for (let distance = 1; distance <= edits.length; distance += 1) {
    const edit = edits[(((start + step * distance) % edits.length) + edits.length) % edits.length];
    if (edit && edit.key !== from && (!waiting || waits(edit, decisions))) {
      return edit;
    }
  }
  return undefined;
}

/** A choice in the form that the server's commands expect. */
export type Choice = { readonly block: number; readonly at?: number; readonly everywhere?: true; readonly confirmed?: true };

export function choice(edit: Edit, decision: Decision | undefined): Choice {
  const place = decision?.place;
  // An edit that fits needs no place, even if one was chosen before.
  return edit.state === 'fits' || place === undefined ? { block: edit.block } : { block: edit.block, ...place };
}

/** What is applied, by the goals of the edits. */
export function accepted(edits: readonly Edit[], decisions: Decisions): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const edit of edits) {
    const decision = decisions[edit.key];
    if (standing(edit, decision) === 'accepted') {
      found.set(edit.to, [...(found.get(edit.to) ?? []), choice(edit, decision)]);
    }
  }
  return found;
}

const COUNTED: readonly Standing[] = ['open', 'doubtful', 'accepted', 'rejected', 'applied', 'stuck'];

function counted(which: Standing, count: number): string {
  switch (which) {
    case 'open':
      return l10n.t('{0} open', number(count));
    case 'doubtful':
      return l10n.t('{0} doubtful', number(count));
    case 'accepted':
      return l10n.t('{0} accepted', number(count));
    case 'rejected':
      return l10n.t('{0} rejected', number(count));
    case 'applied':
      return l10n.t('{0} applied', number(count));
    case 'stuck':
      return l10n.t("{0} can't be applied", number(count));
  }
}

/** `3 changes: 1 open, 2 accepted` */
export function progress(edits: readonly Edit[], decisions: Decisions): string {
  const parts = COUNTED.flatMap((which) => {
    const count = edits.filter((edit) => standing(edit, decisions[edit.key]) === which).length;
    return count > 0 ? [counted(which, count)] : [];
  });
  return edits.length === 1 ? l10n.t('1 change: {0}', parts.join(', ')) : l10n.t('{0} changes: {1}', number(edits.length), parts.join(', '));
}

function inWords(found: Standing): string {
  switch (found) {
    case 'doubtful':
      return l10n.t('choose a place');
    case 'accepted':
      return l10n.t('accepted');
    case 'rejected':
      return l10n.t('rejected');
    case 'applied':
      return l10n.t('already applied');
    case 'open':
    case 'stuck':
      return '';
  }
}

/** The state of an edit in a few words: `line 5 · accepted`. */
export function described(edit: Edit, decision: Decision | undefined): string {
  const found = standing(edit, decision);
  const place = decision?.place;
  const chosen = found === 'accepted' && place && 'everywhere' in place ? l10n.t('all {0} places', number(edit.places.length)) : undefined;
  const line = found === 'accepted' && place && 'at' in place ? place.at : edit.line;
  const reason = found === 'stuck' || found === 'doubtful' ? edit.message : undefined;
  const where = chosen ?? (line !== null && reason === undefined && edit.title.startsWith('Edit') ? l10n.t('line {0}', number(line + 1)) : undefined);
  return [where, reason?.replaceAll('`', ''), inWords(found)].filter(Boolean).join(' · ');
}

/** The reviews of a workspace, by document. */
export type Reviews = Readonly<Record<string, { readonly decisions: Decisions; readonly changed: number }>>;

const MOST_REVIEWS = 50;

/** Adds a review to the others; the oldest are forgotten. */
export function remembered(reviews: Reviews, document: string, decisions: Decisions, now: number): Reviews {
  const all = { ...reviews, [document]: { decisions, changed: now } };
  const newest = Object.entries(all).sort(([, left], [, right]) => right.changed - left.changed);
  return Object.fromEntries(newest.slice(0, MOST_REVIEWS));
}
