import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusal, touched } from '../src/writable';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

test('every file that an edit touches is looked at once, with what becomes of it first', () => {
  const found = touched({
    changes: { 'file:///z.md': [{ range, newText: '' }] },
    documentChanges: [
      { kind: 'create', uri: 'file:///new.md' },
      { textDocument: { uri: 'file:///new.md', version: null }, edits: [{ range, newText: 'x' }] },
      { textDocument: { uri: 'file:///a.md', version: 3 }, edits: [{ range, newText: 'x' }] },
      { kind: 'delete', uri: 'file:///gone.md' },
      { kind: 'rename', oldUri: 'file:///b.md', newUri: 'file:///c.md' },
    ],
  });
  const wanted = { z: 'change', new: 'create', a: 'change', gone: 'delete', b: 'delete', c: 'create' };
  assert.deepEqual(Object.fromEntries(found.map(({ uri, kind }) => [uri.slice(8, -3), kind])), wanted);
  assert.deepEqual(touched({}), []);
});

test('a file that cannot be written is named, with the reason and what to do', () => {
  for (const reason of ['setting', 'permissions', 'system'] as const) {
    const said = refusal('src/greet.py', reason);
    assert.match(said, /^Nothing was changed, because of `src\/greet\.py`: /);
    assert.match(said, /(Change|Save) [^.]*, and apply again\.$/);
  }
});
