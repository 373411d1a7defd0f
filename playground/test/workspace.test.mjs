// Links and paths, without a browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { build } from 'esbuild';

const bundle = await build({ entryPoints: ['page/src/workspace.ts'], bundle: true, format: 'esm', write: false });
const { decode, encode, refusal } = await import(`data:text/javascript;base64,${Buffer.from(bundle.outputFiles[0].text).toString('base64')}`);

const link = (value) => deflateRawSync(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

test('a link brings back all files, in order', async () => {
  const files = new Map([['b.md', 'Ducks 🦆\n'], ['a/SKILL.md', '---\r\n\u2028'], ['empty', '']]);
  const workspace = { files, active: 'a/SKILL.md', clients: ['codex'] };
  const code = await encode(workspace);
  assert.match(code, /^[\w-]+$/);
  assert.deepEqual(await decode(code), workspace);
  assert.deepEqual([...(await decode(code)).files.keys()], [...files.keys()]);
});

test('what is missing in a link has a default', async () => {
  const found = await decode(link({ files: { 'a.md': 'x' }, active: 'b.md', clients: ['codex', 1] }));
  assert.deepEqual(found, { files: new Map([['a.md', 'x']]), active: 'a.md', clients: ['codex'] });
});

test('a link that is damaged or hostile is refused', async () => {
  const cases = {
    nothing: '',
    'not base64': '%%%',
    'not compressed': Buffer.from('{"files":{}}').toString('base64url'),
    'cut off': link({ files: { 'a.md': 'x'.repeat(1000) } }).slice(0, 10),
    'not JSON': link('{'),
    'no files': link({ files: {} }),
    'a list': link([]),
    'a number as text': link({ files: { 'a.md': 1 } }),
    'a path that leads out': link({ files: { '../a.md': '' } }),
    'a file that is a folder too': link({ files: { a: '', 'a/b': '' } }),
    'more than 4 MB': link({ files: { 'a.md': ' '.repeat(5_000_000) } }),
  };
  for (const [name, code] of Object.entries(cases)) {
    await assert.rejects(decode(code), name);
  }
});

test('a path is relative, and is not taken', () => {
  const files = new Map([['a/b.md', '']]);
  for (const path of ['c.md', '.claude/skills/x/SKILL.md', 'a/c.md', 'two words.md', '…/ü.md']) {
    assert.equal(refusal(path, files), undefined, path);
  }
  for (const path of ['', ' ', '/a', 'a/', 'a//b', './a', 'a/../b', '..', 'a\\b', 'a\nb', 'a/b.md', 'a', 'a/b.md/c']) {
    assert.equal(typeof refusal(path, files), 'string', path);
  }
});
