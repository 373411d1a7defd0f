import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promptPage, shown } from '../src/promptPage';

test('the page of a preview loads nothing, and runs only its own script', () => {
  const page = promptPage('abc');
  assert.match(page, /content="default-src 'none'; style-src 'nonce-abc'; script-src 'nonce-abc'"/);
  assert.doesNotMatch(page, /https?:|src=|url\(|innerHTML|@import/);
  // Colours come from the theme, so that dark and high contrast themes work.
  assert.doesNotMatch(page, /#[0-9a-f]{3,8}\b|rgb\(/i);
  // Every interactive element has a name.
  assert.match(page, /<label for="input">/);
  assert.match(page, /role="status"/);
});

test('if rendering fails, the last prompt is kept and the place of the mistake is shown', () => {
  const problem = { range: { start: { line: 7, character: 3 } }, message: 'unclosed action', fails: true };
  const failed = shown({ text: null, tokens: null, input: {}, sample: false, problems: [problem] }, false);
  assert.ok(!('text' in failed));
  assert.deepEqual(failed.problems, [{ message: 'Line 8: unclosed action', fails: true, line: 7, character: 3 }]);
  const fine = shown({ text: 'Greet Ada.', tokens: 3, input: { who: 'Ada' }, sample: true, problems: [] }, false);
  assert.deepEqual([fine.status, fine.text, fine.input], ['About 3 tokens, with the sample', 'Greet Ada.', '{\n  "who": "Ada"\n}']);
  assert.match(shown(null, false).status, /neither a markdownlang program nor an agent file/);
});

test('only the first of many problems are listed', () => {
  const problem = { range: null, message: 'prints `<no value>`', fails: false };
  const { problems } = shown({ text: '', tokens: 0, input: {}, sample: false, problems: Array.from({ length: 1300 }, () => problem) }, false);
  assert.deepEqual([problems.length, problems.at(-1)?.message], [101, 'and 1,200 more']);
});

test("an agent file is shown with each client's verdict", () => {
  const place = { start: { line: 2, character: 13 } };
  const found = shown({ kind: 'skill', text: '# Notes\n', tokens: 2, clients: [{ title: 'Claude Code', outcome: 'partly', reasons: ['the `description` is lost'], range: place }, { title: 'Codex', outcome: 'not-loaded', reasons: [], range: null }] }, false);
  assert.equal(found.status, 'Skill, about 2 tokens');
  assert.deepEqual(found.clients, [
    { message: 'Claude Code: loaded in part (the description is lost)', fails: false, line: 2, character: 13 },
    { message: 'Codex: not loaded', fails: true },
  ]);
  assert.match(shown({ kind: 'memory-file', text: '', tokens: 1234, clients: [] }, false).status, /^Memory file, about 1,234 tokens$/);
});
