import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summary, type Change } from '../src/summary';

test('a message names the files that an edit changed, but not all of many', () => {
  const change = (name: string): Change => ({ name, kind: 'changed' });
  assert.equal(summary([{ name: 'notes.md', kind: 'created' }, change('src/greet.py')]), 'Applied: created notes.md, changed src/greet.py');
  assert.equal(summary(['a', 'b', 'c', 'd', 'e'].map(change)), 'Applied: changed a, changed b, changed c, and 2 more');
});
