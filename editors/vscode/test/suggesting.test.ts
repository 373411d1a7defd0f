import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginsWord, isRule } from '../src/suggesting';

test('in front matter, the first letter of a key, an item or a value begins a word', () => {
  for (const line of ['d', '  t', '- p', '  - - x', 'type: s', '    type: s']) {
    assert.ok(beginsWord(['---', 'name: a', line]), line);
  }
  for (const line of ['de', 'description: a b', 'name: my p', '# c', 'type: st', '"q']) {
    assert.ok(!beginsWord(['---', 'name: a', line]), line);
  }
  assert.ok(beginsWord(['---', 'n']));
});

test('capital letters in a bracket begin a marker', () => {
  assert.ok(beginsWord(['[RE']) && beginsWord(['Text', '[AC']));
  assert.ok(!beginsWord(['see [R']) && !beginsWord(['[REA']) && !beginsWord(['[r']));
});

test('hyphens by themselves do not open completion', () => {
  assert.ok(isRule('---') && isRule('-'));
  assert.ok(!isRule('- -') && !isRule('a-') && !isRule('') && !isRule('  - '));
});

test('after front matter, only text in a template begins a word', () => {
  const body = (line: string): boolean => beginsWord(['---', 'name: a', '---', '', line]);
  for (const line of ['{{ r', '{{r', 'Dear {{ .a | u', '{{ if (e', '}} and {{ len .x }} {{ t']) {
    assert.ok(body(line), line);
    assert.ok(beginsWord([line]), line);
  }
  for (const line of ['d', 'a word', '{{ .name }} d', '{{ .n', '{{ range']) {
    assert.ok(!body(line), line);
  }
  assert.ok(!beginsWord(['d']));
});
