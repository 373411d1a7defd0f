import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standsTwice, type Finding } from '../src/doubles';

const finding = (message: string, line: number, source = 'agentmd'): Finding => ({ source, code: { value: 'edit/no-match' }, message, range: { start: { line, character: 0 } } });

test('a finding that appears twice in one place is a sign of a second agentmd', () => {
  assert.ok(standsTwice([finding('a', 1), finding('b', 2), finding('a', 1)]));
});

test('findings in other places, with other messages or from other tools are not', () => {
  assert.ok(!standsTwice([finding('a', 1), finding('a', 2), finding('b', 1)]));
  assert.ok(!standsTwice([finding('a', 1, 'rumdl'), finding('a', 1, 'rumdl'), finding('a', 1)]));
  assert.ok(!standsTwice([]));
});
