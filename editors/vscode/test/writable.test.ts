import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forbidden, refusal, touched } from '../src/writable';

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

test('every file that an edit touches is listed once, with its first change', () => {
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

test('the file is checked, or the folder that a new file would be in', async () => {
  const codes: Record<string, string | undefined> = { '/a/locked.md': 'EACCES', '/a/free.md': undefined, '/a': 'EPERM', '/b': undefined, '/cd': 'EROFS' };
  const disk = { write: (file: string) => Promise.resolve(file in codes ? codes[file] : 'ENOENT') };
  assert.equal(await forbidden(disk, '/a/locked.md', true), 'permissions');
  assert.equal(await forbidden(disk, '/a/free.md', true), undefined);
  assert.equal(await forbidden(disk, '/a/free.md', false), 'permissions');
  assert.equal(await forbidden(disk, '/b/new/deep.md', false), undefined);
  assert.equal(await forbidden(disk, '/cd/new/deep.md', false), 'system');
  assert.equal(await forbidden(disk, '/gone/new.md', false), undefined);
});

test('a file that cannot be written is reported with the reason and a remedy', () => {
  for (const reason of ['setting', 'permissions', 'system'] as const) {
    const said = refusal('src/greet.py', reason);
    assert.match(said, /^Nothing was changed, because of 'src\/greet\.py': /);
    assert.match(said, /(Change|Save) [^.]*, and apply again\.$/);
  }
});
