import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rows, tokens, type Costs } from '../src/costs';

const costs: Costs = {
  budget: 10,
  clients: [
    {
      client: 'claude-code',
      always: 15,
      matched: 0,
      on_demand: 1240,
      files: [
        { path: '.claude/skills/tea/SKILL.md', kind: 'skill', when: 'always', tokens: 5, counted: 'bytes/4', listing: true },
        { path: 'CLAUDE.md', kind: 'memory', when: 'always', tokens: 10, counted: 'bytes/4' },
        { path: '.claude/skills/tea/SKILL.md', kind: 'skill', when: 'demand', tokens: 1240, counted: 'bytes/4' },
      ],
    },
    { client: 'codex', always: 3, matched: 0, on_demand: 0, files: [{ path: 'AGENTS.md', kind: 'memory', when: 'always', tokens: 3, counted: 'o200k' }] },
  ],
};

test('a client has a row for each time at which it loads something, the costliest file first', () => {
  const [claude, codex] = rows(costs);
  assert.ok(claude && codex);
  assert.deepEqual(claude.rows.map(({ label, description }) => [label, description]), [
    ['Always loaded', '~15 tokens'],
    ['On demand', '~1,240 tokens'],
  ]);
  assert.deepEqual(claude.rows[0]?.rows.map(({ path, description }) => [path, description]), [
    ['CLAUDE.md', '~10 tokens · memory'],
    ['.claude/skills/tea/SKILL.md', '~5 tokens · skill, its line in a list'],
  ]);
  assert.equal(codex.description, 'always 3 tokens');
});

test('a client over the budget warns', () => {
  assert.deepEqual(rows(costs).map(({ warns, description }) => [warns, description]), [
    [true, 'always ~15 tokens, over the budget of 10'],
    [false, 'always 3 tokens'],
  ]);
  const { budget, ...free } = costs;
  assert.equal(budget, 10);
  assert.ok(rows(free).every(({ warns }) => warns === false));
});

test('only an estimate is marked', () => {
  assert.equal(tokens(1240, 'bytes/4'), '~1,240 tokens');
  assert.equal(tokens(7, 'o200k'), '7 tokens');
});
