import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shown } from '../src/confirmation';
import { inDestination } from '../src/destination';
import { withoutHeadings } from '../src/outline';
import { Restarts } from '../src/restarts';
import { forServer } from '../src/settings';

test('a crashing server is restarted up to four times in three minutes', () => {
  let now = 0;
  const restarts = new Restarts(() => now);
  const verdicts = Array.from({ length: 5 }, () => restarts.crashed().restart);
  assert.deepEqual(verdicts, [true, true, true, true, false]);
  now += 3 * 60 * 1000;
  assert.ok(restarts.crashed().restart);
  for (let crash = 0; crash < 4; crash += 1) {
    restarts.crashed();
  }
  restarts.forget();
  assert.ok(restarts.crashed().restart);
});

test('the server gets only its own settings', () => {
  assert.deepEqual(forServer({ server: { path: 'x' }, trace: { server: 'off' }, ignore: ['a'], rules: null, 'inlay-hints': false }), { ignore: ['a'], 'inlay-hints': false });
  assert.deepEqual(forServer(undefined), {});
});

test('headings leave the outline, and what is below them moves up', () => {
  const symbol = (name: string, kind: number, ...children: { name: string }[]) => ({ name, kind, children: children as never[] });
  const heading = 14;
  const tree = [symbol('input', 1, symbol('a', 7)), symbol('One', heading, symbol('Two', heading, symbol('define', 11))), symbol('Action', 5, symbol('In it', heading))];
  assert.deepEqual(withoutHeadings(tree, heading), [symbol('input', 1, symbol('a', 7)), symbol('define', 11), symbol('Action', 5)]);
});

test('Markdown link destinations are recognized', () => {
  for (const inside of ['see [a](./b', 'see [a](', '![x](pictures/', '[label]: ./a', '[a](b.md#']) {
    assert.ok(inDestination(inside), inside);
  }
  for (const outside of ['see [a](b) and ', '{{ .a.b', '  - ./', '[ACTION_0_PATH] src/', 'a (b', '[a](b c']) {
    assert.ok(!inDestination(outside), outside);
  }
});

test('an edit to preview has an additional part that changes nothing and needs confirmation', () => {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const edit = shown(
    {
      documentChanges: [
        { kind: 'create', uri: 'file:///new.md' },
        { textDocument: { uri: 'file:///a.md', version: 3 }, edits: [{ range, newText: 'x', annotationId: 'replace' }] },
      ],
      changes: { 'file:///b.md': [{ range, newText: 'z' }] },
      changeAnnotations: { replace: { label: 'Replace' } },
    },
    'file:///reply.md',
  );
  const changes = edit.documentChanges ?? [];
  assert.deepEqual(changes.map((change) => ('textDocument' in change ? change.textDocument.uri : change.kind)), ['create', 'file:///a.md', 'file:///b.md', 'file:///reply.md']);
  const last = changes.at(-1);
  assert.ok(last && 'edits' in last);
  assert.deepEqual(last.edits.map((one) => ('newText' in one ? one.newText : undefined)), ['']);
  assert.deepEqual(Object.values(edit.changeAnnotations ?? {}).map((one) => one.needsConfirmation), [undefined, true]);
});
