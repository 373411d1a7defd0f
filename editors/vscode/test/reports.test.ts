import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { test } from 'node:test';
import { debugArguments, isRunnable, outcomes, problems, readReport, runArguments, summary, testArguments, type Report } from '../src/reports';

const report: Report = {
  programs: [
    {
      path: 'count.md',
      file: 'count.test.yaml',
      cases: [
        { name: 'two', line: 2, outcome: 'passed' },
        { name: 'none', line: 8, outcome: 'failed', message: '`/n` is 1, not 0' },
        { name: 'new', line: 11, outcome: 'unrecorded', message: 'no recording' },
      ],
    },
    { path: 'count.md', file: 'count.md', cases: [{ name: 'own', line: 7, outcome: 'error', message: 'missing field `name`' }] },
  ],
  summary: { passed: 1, failed: 1, unrecorded: 1, errors: 1 },
};

test('cases that did not pass become problems of their lines', () => {
  assert.deepEqual(
    [...problems(report)].map(([file, rows]) => [file, rows.map(({ line, message, isWarning }) => [line, message, isWarning])]),
    [
      ['count.test.yaml', [[7, 'none: `/n` is 1, not 0', false], [10, 'new: no recording', true]]],
      ['count.md', [[6, 'own: missing field `name`', false]]],
    ],
  );
  assert.equal(summary(report), '1 passed, 1 failed, 1 unrecorded, 1 error');
  const passed = { programs: [{ path: 'a.md', file: 'a.md', cases: [] }], summary: { passed: 2, failed: 0, unrecorded: 0, errors: 0 } };
  // A file without problems is in the map, so that its old results go away.
  assert.deepEqual([...problems(passed)], [['a.md', []]]);
  assert.equal(summary(passed), '2 passed');
});

test('each case of the Testing view gets its own result', () => {
  const found = outcomes(report, (file) => `file:///w/${file}`);
  assert.deepEqual(found.get('file:///w/count.test.yaml#none'), { outcome: 'failed', message: '`/n` is 1, not 0' });
  assert.deepEqual(found.get('file:///w/count.test.yaml#two'), { outcome: 'passed', message: 'passed' });
  assert.equal(found.size, 4);
});

test('invalid reports and arguments of lenses are rejected', () => {
  for (const text of ['', 'error: no cases found', 'null', '{}', '{"programs": []}']) {
    assert.equal(readReport(text), undefined, text);
  }
  assert.ok(isRunnable({ uri: 'file:///a.md', sample: true }));
  assert.ok([undefined, null, 'file:///a.md', { uri: 3 }].every((given) => !isRunnable(given)));
});

test('names and inputs are single arguments', () => {
  assert.deepEqual(testArguments('/w/a.md', '--live; rm'), ['test', '/w/a.md', '--format', 'json', '--exact', '--filter=--live; rm']);
  assert.deepEqual(testArguments('/w/a.md', undefined), ['test', '/w/a.md', '--format', 'json']);
  assert.deepEqual(runArguments('/w/a.md', undefined, undefined), ['run', '/w/a.md', '--sample']);
  assert.deepEqual(runArguments('/w/a.md', '{"a": 1}', '/r'), ['run', '/w/a.md', '--input', '{"a": 1}', '--record', '/r']);
  assert.deepEqual(debugArguments('/w/a.md', undefined, '/r'), ['run', '/w/a.md', '--sample', '--replay', '/r', '--debug']);
});

const program = process.env['AGENTMD'];

test('the report of agentmd is read', { skip: program === undefined || !existsSync(program) ? 'AGENTMD is not set' : false }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'agentmd-'));
  const file = path.join(folder, 'count.md');
  const fields = ['name: count', 'description: Counts', 'input: { type: object }', 'output: { type: object, properties: { n: { type: integer } }, required: [n] }'];
  writeFileSync(file, ['---', ...fields, 'tests:', '  - { name: a b, input: 3, expect: { error: the input does not match } }', '  - { name: a, expect: { at: { /n: 1 } } }', '---', '', 'Count.', ''].join('\n'));
  const run = (name: string | undefined): Report | undefined => {
    try {
      return readReport(execFileSync(program ?? '', testArguments(file, name), { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    } catch (error) {
      return readReport((error as { stdout: string }).stdout);
    }
  };
  const all = run(undefined);
  assert.ok(all);
  assert.equal(summary(all), '1 passed, 1 unrecorded');
  assert.deepEqual([...problems(all)].map(([shown, rows]) => [shown, rows.map(({ line, isWarning }) => [line, isWarning])]), [[file, [[7, true]]]]);
  assert.deepEqual(run('a b')?.summary.passed, 1);
  assert.deepEqual(run('a')?.summary.unrecorded, 1);
  rmSync(folder, { recursive: true });
});
