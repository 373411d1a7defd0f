import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, described, neighbour, progress, remembered, standing, type Decisions, type Edit } from '../src/review/decisions';

const edit = (key: string, state: Edit['state'], more: Partial<Edit> = {}): Edit => ({ block: Number(key), to: 'workspace', key, range: { start: { line: 0, character: 0 } }, name: 'a.py', file: 'file:///w/a.py', title: 'Edit a.py', state, message: null, line: 4, places: [], ...more });
const places = [{ line: 2, text: 'x' }, { line: 7, text: 'x' }];
const edits = [edit('1', 'fits'), edit('2', 'likely', { places: places.slice(0, 1) }), edit('3', 'ambiguous', { places }), edit('4', 'done'), edit('5', 'refused', { message: 'No match: nearest line 2 (80 %)' })];
const yes = { verdict: 'accepted' } as const;

test('a decision never makes an edit fit', () => {
  const all = (decision: Decisions[string] | undefined): string[] => edits.map((one) => standing(one, decision));
  assert.deepEqual(all(undefined), ['open', 'doubtful', 'doubtful', 'applied', 'stuck']);
  assert.deepEqual(all(yes), ['accepted', 'doubtful', 'doubtful', 'applied', 'stuck']);
  assert.deepEqual(all({ verdict: 'rejected' }), ['rejected', 'rejected', 'rejected', 'applied', 'rejected']);
});

test('a chosen place counts only as long as it is valid', () => {
  const [, likely, ambiguous] = edits;
  assert.ok(likely && ambiguous);
  assert.equal(standing(likely, { ...yes, place: { confirmed: true } }), 'accepted');
  assert.equal(standing(likely, { ...yes, place: { at: 2 } }), 'doubtful');
  assert.equal(standing(ambiguous, { ...yes, place: { at: 7 } }), 'accepted');
  assert.equal(standing(ambiguous, { ...yes, place: { at: 3 } }), 'doubtful');
  assert.equal(standing(ambiguous, { ...yes, place: { everywhere: true } }), 'accepted');
  // The file has changed, and now the edit fits without a choice.
  assert.equal(standing({ ...ambiguous, state: 'fits' }, { ...yes, place: { at: 7 } }), 'accepted');
});

test('accepted edits are applied with their places, separately for each goal', () => {
  const decisions: Decisions = { 1: yes, 2: { ...yes, place: { confirmed: true } }, 3: { ...yes, place: { at: 7 } }, 4: yes, 5: yes, 6: yes };
  const all = [...edits, edit('6', 'fits', { to: 'context' })];
  assert.deepEqual([...accepted(all, decisions)], [
    ['workspace', [{ block: 1 }, { block: 2, confirmed: true }, { block: 3, at: 7 }]],
    ['context', [{ block: 6 }]],
  ]);
});

test('keys move through all edits and wrap around, or through the undecided ones', () => {
  const next = (from: string | undefined, step: 1 | -1, waiting: boolean, decisions: Decisions = {}): string | undefined => neighbour(edits, decisions, from, step, waiting)?.key;
  assert.equal(next(undefined, 1, false), '1');
  assert.equal(next(undefined, -1, false), '5');
  assert.equal(next('5', 1, false), '1');
  assert.equal(next('3', 1, true), '1');
  assert.equal(next('3', 1, true, { 1: yes, 2: { ...yes, place: { confirmed: true } } }), undefined);
  assert.equal(neighbour([], {}, undefined, 1, false), undefined);
});

test('an edit shows its place, or why it has none', () => {
  const says = (one: Edit | undefined, decision?: Decisions[string]): string => (one ? described(one, decision) : '');
  assert.equal(says(edits[0]), 'line 5');
  assert.equal(says(edits[0], yes), 'line 5 · accepted');
  assert.equal(says(edits[2], { ...yes, place: { at: 7 } }), 'line 8 · accepted');
  assert.equal(says(edits[2], { ...yes, place: { everywhere: true } }), 'all 2 places · accepted');
  assert.equal(says(edits[4]), 'No match: nearest line 2 (80 %)');
  assert.equal(says(edit('7', 'fits', { title: 'Create a.py', line: 0 })), '');
  assert.equal(progress(edits, { 1: yes }), "5 changes: 2 doubtful, 1 accepted, 1 applied, 1 can't be applied");
  assert.equal(progress(edits.slice(0, 1), {}), '1 change: 1 open');
});

test('the decisions of the last fifty documents are kept', () => {
  let reviews = {};
  for (let at = 0; at < 60; at += 1) {
    reviews = remembered(reviews, `file:///w/${at}.md`, { 1: yes }, at);
  }
  assert.equal(Object.keys(reviews).length, 50);
  assert.ok('file:///w/59.md' in reviews && !('file:///w/9.md' in reviews));
});
