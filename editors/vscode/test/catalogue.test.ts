import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { find, type Machine, type Wanted } from '../src/binary';
import { nothingChanges } from '../src/confirmation';
import { layout } from '../src/graph/layout';
import { graphPage } from '../src/graph/page';
import { files, rows, type AgentFile, type Row } from '../src/overview';
import { promptPage, shown } from '../src/promptPage';
import { outcomes, problems, summary as result } from '../src/reports';
import { Restarts } from '../src/restarts';
import { described, progress, type Decision, type Edit } from '../src/review/decisions';
import { summary } from '../src/summary';
import { language, translate } from '../src/translation';
import { refusal } from '../src/writable';
import { literals, textsOf } from './literals';

const root = process.cwd();
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const manifest = read('package.json');
const names = read('package.nls.json') as Record<string, string>;

test('every user-visible text in the source goes through the catalogue', () => {
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const found = sources.flatMap((file) => literals(readFileSync(path.join(root, 'src', file), 'utf8')).map((text) => `${file}: ${text}`));
  assert.deepEqual(found, []);
});

test('a text that bypasses the catalogue is found', () => {
  const wrong: [string, string[]][] = [
    ["vscode.window.showInformationMessage('Saved')", ['Saved']],
    ["vscode.window.showErrorMessage(`${count} failed`)", ['{} failed']],
    ["const title: string = one ? 'one file' : vscode.l10n.t('more files')", ['one file']],
    ["item.tooltip = 'tokens'", ['tokens']],
    ["const rows = [{ label: `$(gear) options` }]", ['$(gear) options']],
    ["throw new Error('no server')", ['no server']],
    ["const page = `<p title=\"A tip\">${shown}</p><b>Found</b>`", ['A tip', 'Found']],
    ["const SCRIPT = `found.textContent = shown.length + ' files found';`", [' files found']],
  ];
  for (const [source, texts] of wrong) {
    assert.deepEqual(literals(source), texts, source);
  }
  const right = ["vscode.l10n.t('Saved {0}', name)", "l10n.t({ message: 'One file', comment: ['A count of files'] })", "this.output.info(`started ${name} twice`)", "if (event.key === 'Enter') run('agentmd.restart')", "uri.with({ scheme: 'file', path: `/${name}.md` })", 'const STYLE = `body { margin: 0 auto; }`'];
  assert.deepEqual(right.flatMap(literals), []);
});

/** The strings of the manifest, each with the name of its field. */
function strings(value: unknown, field = ''): [string, string][] {
  if (typeof value === 'string') {
    return [[field, value]];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Array.isArray(value) ? value.flatMap((one) => strings(one, field)) : Object.entries(value).flatMap(([name, one]) => strings(one, name));
}

test('every text of the manifest is in package.nls.json, and nothing else is', () => {
  const all = strings(manifest);
  const { views, configuration } = (manifest as { contributes: { views: unknown; configuration: unknown } }).contributes;
  const visible = [...all.filter(([field]) => /description$|^(?:title|altText|label)$/i.test(field)), ...strings(views).filter(([field]) => field === 'name'), ...strings(configuration).filter(([field]) => /message|deprecat/i.test(field))];
  assert.ok(visible.length > 50);
  assert.deepEqual(visible.filter(([, text]) => !/^%.+%$/.test(text) && text !== 'agentmd'), []);
  const used = all.flatMap(([, text]) => /^%(.+)%$/.exec(text)?.[1] ?? []);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(names).sort());
  assert.ok(Object.values(names).every((text) => text.trim() !== ''));
});

const START = '⟦';
const END = '⟧';

/** The rest of a text without its translated parts. */
function untranslated(text: string): string {
  let left = text;
  for (let before = ''; before !== left; ) {
    before = left;
    left = left.replace(/⟦[^⟦⟧]*⟧/gu, ' ');
  }
  return left;
}

const machine: Machine = {
  platform: 'linux',
  architecture: 'x64',
  home: '/h',
  environment: { PATH: '/b' },
  isProgram: async (file) => file === '/b/agentmd' || file === '/x/agentmd',
  printVersion: async (file) => (file === '/x/agentmd' ? Promise.reject(new Error('1')) : '0.0.1'),
};
const wanted: Wanted = { setting: '', folders: [], trusted: true, extension: '/e', minimum: { text: '9.0.0', parts: [9, 0, 0] }, consents: async () => true };

/** Every text from modules that don't use VS Code's API. Names and numbers in the examples have no letters. */
async function made(): Promise<string[]> {
  const file = (kind: string, outcome: AgentFile['outcome']): AgentFile => ({ path: '1', name: '1', kind, outcome, always: 1, matched: 2, on_demand: 3 });
  const client = (title: string, always: number): object => ({ client: title, title, always, counted: 'bytes/4', new: [], files: (['memory', 'skill', 'agent', 'command', 'prompt', 'rule', 'instructions', 'workflow'] as const).flatMap((kind) => [file(kind, 'loaded'), file(kind, 'partly'), file(kind, 'not-loaded'), file(kind, 'does-not-start')]) });
  const overview = { clients: [client('1', 5), client('2', 50)], programs: [{ path: '2', name: '2' }] } as unknown as Parameters<typeof rows>[0];
  const walk = (row: Row): string[] => [row.label, row.description, row.tooltip, ...row.rows.flatMap(walk)];
  const place = { start: { line: 1, character: 1 } };
  const report = { programs: [{ path: '1', file: '1', cases: (['passed', 'failed', 'unrecorded', 'error'] as const).map((outcome) => ({ name: '1', line: 1, outcome })) }], summary: { passed: 1, failed: 1, unrecorded: 1, errors: 2 } };
  const edit = (state: Edit['state'], key: string): Edit => ({ block: 1, to: '1', key, range: place, name: '1', file: '1', title: 'Edit', state, message: null, line: 1, places: [{ line: 1, text: '1' }, { line: 2, text: '2' }] });
  const edits = [edit('fits', '1'), edit('fits', '2'), edit('fits', '3'), edit('ambiguous', '4'), edit('done', '5'), edit('refused', '6'), edit('ambiguous', '7'), edit('ambiguous', '8')];
  const decisions: Record<string, Decision> = { 2: { verdict: 'accepted' }, 3: { verdict: 'rejected' }, 7: { verdict: 'accepted', place: { everywhere: true } }, 8: { verdict: 'accepted', place: { at: 2 } } };
  const rendered = { text: '1', tokens: 1, input: {}, sample: false, problems: [{ range: place, message: '1', fails: true }] };
  const pages = [shown(null, false), shown(rendered, true), shown(rendered, false), shown({ ...rendered, sample: true }, false), shown({ ...rendered, text: null }, false), shown({ ...rendered, problems: Array(200).fill(rendered.problems[0]) as typeof rendered.problems }, false)];
  const agent = shown({ kind: '1', clients: [{ title: '1', outcome: 'partly', reasons: ['2'], range: place }], text: '1', tokens: 1 }, false);
  const graph = { nodes: ['1', '2'].map((id) => ({ id, name: id, kind: '3', path: id })), edges: [{ from: '1', to: '2', why: '4' }], dead: [{ path: '1', line: 1, name: '5' }], duplicates: [['1', '2']] };
  const restarts = new Restarts(() => 0);
  const missing = [wanted, { ...wanted, setting: '/1' }, { ...wanted, setting: '/x/agentmd' }].map((one) => find(machine, one));
  const absent = find({ ...machine, isProgram: async () => false }, wanted);
  const other = find({ ...machine, printVersion: async () => '1' }, wanted);
  return [
    ...rows({ ...overview, budget: 10 }).flatMap(walk),
    ...rows(overview).flatMap(walk),
    ...files(rows(overview)).map(({ label }) => label),
    ...[...pages, agent].flatMap(({ status, problems: items, clients }) => [status, ...items.map(({ message }) => message), ...(clients ?? []).map(({ message }) => message)]),
    ...textsOf(promptPage('0')),
    ...textsOf(graphPage(layout(graph), '0')),
    result(report),
    result({ ...report, summary: { passed: 1, failed: 0, unrecorded: 0, errors: 1 } }),
    ...[...problems(report).values()].flat().map(({ message }) => message),
    ...[...outcomes(report, () => '1').values()].map(({ message }) => message),
    progress(edits, decisions),
    progress(edits.slice(0, 1), {}),
    ...edits.map((one) => described(one, decisions[one.key])),
    summary((['created', 'changed', 'deleted', 'changed'] as const).map((kind) => ({ name: '1', kind }))),
    summary([{ name: '1', kind: 'created' }]),
    ...(['setting', 'permissions', 'system'] as const).map((reason) => refusal('1', reason)),
    ...Array.from({ length: 5 }, () => restarts.crashed().message),
    nothingChanges(),
    ...(await Promise.all([...missing, absent, other])).map((found) => ('message' in found ? found.message : '')),
  ];
}

test('with a translation, no word is left in English', async () => {
  const english = await made();
  assert.equal(language(), 'en');
  const bundle = read('l10n/bundle.l10n.json') as Record<string, string | { message: string }>;
  const marked = Object.entries(bundle).map(([key, text]) => [key, `${START}${typeof text === 'string' ? text : text.message}${END}`]);
  translate(Object.fromEntries(marked) as Record<string, string>, 'de');
  try {
    const translated = await made();
    assert.ok(translated.length > 100);
    assert.deepEqual(translated.filter((text) => /\p{L}/u.test(untranslated(text))), []);
    // Only the marks differ.
    assert.deepEqual(translated.map((text) => text.replace(/[⟦⟧]/gu, '')), english);
    assert.match(promptPage('0'), /<html lang="de">/);
  } finally {
    translate(undefined, 'de');
  }
  assert.equal(language(), 'en');
});
