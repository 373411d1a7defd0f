import assert from 'node:assert/strict';
import { test } from 'node:test';
import { files, rows, tokens, type AgentFile, type Overview } from '../src/overview';

const file = (path: string, kind: string, more: Partial<AgentFile> = {}): AgentFile => ({ path, name: path.split('/').at(-2) ?? path, kind, outcome: 'loaded', always: 0, matched: 0, on_demand: 0, ...more });
const overview: Overview = {
  budget: 10,
  clients: [
    {
      client: 'claude-code',
      title: 'Claude Code',
      always: 15,
      counted: 'bytes/4',
      new: ['skill', 'agent'],
      files: [
        file('.claude/skills/jam/SKILL.md', 'skill', { outcome: 'not-loaded', reasons: ['no `description`'] }),
        file('.claude/skills/tea/SKILL.md', 'skill', { always: 5, on_demand: 1240 }),
        file('CLAUDE.md', 'memory', { name: 'CLAUDE.md', always: 10 }),
      ],
    },
    { client: 'codex', title: 'Codex', always: 3, counted: 'o200k', new: ['skill'], files: [file('CLAUDE.md', 'memory', { always: 3 })] },
  ],
  programs: [{ path: 'programs/sort.md', name: 'sort' }],
};

test('a client has its files by kind, with their state and what they cost', () => {
  const [claude, codex, programs] = rows(overview);
  assert.ok(claude && codex && programs);
  assert.deepEqual(claude.rows.map(({ label, description }) => [label, description]), [['Memory files', '1'], ['Skills', '2, 1 not loaded']]);
  const skills = claude.rows[1]?.rows ?? [];
  assert.deepEqual(skills.map(({ label, description, state }) => [label, description, state]), [
    ['jam', 'not loaded', 'failing'],
    ['tea', '~5 always, ~1,240 on demand', 'loaded'],
  ]);
  assert.match(skills[0]?.tooltip ?? '', /Claude Code: not loaded \(no description\)/);
  assert.deepEqual(programs.rows.map(({ path }) => path), ['programs/sort.md']);
});

test('a client over the budget is a warning, and one within it shows the rest', () => {
  assert.deepEqual(rows(overview).slice(0, 2).map(({ state, description }) => [state, description]), [
    ['warning', '~15 tokens always, over the budget of 10'],
    ['group', '3 tokens always of 10'],
  ]);
  const { budget, ...free } = overview;
  assert.equal(budget, 10);
  assert.deepEqual(rows(free).map(({ state, description }) => [state, description]).slice(0, 1), [['group', '~15 tokens always']]);
});

test('a client without files has no row', () => {
  const [claude] = overview.clients;
  assert.ok(claude);
  const none = { ...claude, client: 'cline', title: 'Cline', files: [] };
  const specification = { ...claude, client: 'spec', title: 'the open specification' };
  assert.deepEqual(rows({ clients: [none], programs: [] }), []);
  assert.deepEqual(rows({ clients: [none, specification], programs: [] }).map(({ label }) => label), ['The open specification']);
});

test('a search lists each file once, no matter how many clients read it', () => {
  assert.deepEqual(files(rows(overview)).map(({ path }) => path), ['CLAUDE.md', '.claude/skills/jam/SKILL.md', '.claude/skills/tea/SKILL.md', 'programs/sort.md']);
});

test('rows keep their IDs, so that expanded rows stay expanded', () => {
  const ids = rows(overview).flatMap((client) => [client.id, ...client.rows.flatMap((kind) => [kind.id, ...kind.rows.map(({ id }) => id)])]);
  assert.equal(new Set(ids).size, ids.length);
});

test('only an estimate is marked', () => {
  assert.equal(tokens(1240, 'bytes/4'), '~1,240 tokens');
  assert.equal(tokens(1, 'o200k'), '1 token');
});
