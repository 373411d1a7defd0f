import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { CONFIGURATION, LANGUAGES, TESTS } from '../src/languages';

const root = process.cwd();
const read = (file: string): unknown => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
interface Manifest {
  version: string;
  activationEvents: string[];
  contributes: {
    commands: { command: string }[];
    menus: Record<string, { command: string; when?: string }[]>;
    grammars: { path: string; injectTo: string[] }[];
    snippets: { path: string; language: string }[];
    languages: { id: string; configuration?: string }[];
    walkthroughs: { steps: { id: string; completionEvents: string[]; media: { image?: string; markdown?: string } }[] }[];
    configuration: { properties: Record<string, { default?: unknown }> }[];
  };
}
const manifest = read('package.json') as Manifest;
const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
  .join('\n');

test('every command in the package is registered, and every command in a menu is in the package', () => {
  const names = manifest.contributes.commands.map(({ command }) => command);
  for (const name of names) {
    assert.ok(sources.includes(`command('${name}'`), name);
  }
  for (const { command, when } of Object.values(manifest.contributes.menus).flat()) {
    assert.ok(names.includes(command), command);
    assert.ok(when, `${command} is always in a menu`);
  }
});

test('the extension starts with every Markdown language ID, and in folders with other files that it reads', () => {
  assert.deepEqual(manifest.activationEvents, [...LANGUAGES.map((language) => `onLanguage:${language}`), ...[TESTS, ...CONFIGURATION].map((pattern) => `workspaceContains:${pattern}`), 'onFileSystem:agentmd-review']);
  const { languages, snippets, grammars, menus } = manifest.contributes;
  assert.deepEqual(languages.map(({ id }) => id), LANGUAGES);
  // Agent files don't contain replies.
  assert.deepEqual(snippets.map(({ language, path }) => [language, path]), LANGUAGES.map((language) => [language, `./snippets/${language === 'markdown' ? 'markdown' : 'agents'}.json`]));
  assert.ok(grammars.every(({ injectTo }) => injectTo.join(' ') === 'text.html.markdown text.html.markdown.prompt'));
  const conditions = Object.values(menus).flat().flatMap(({ when }) => (when?.includes('LangId') ? [when] : []));
  assert.ok(conditions.length > 0);
  assert.deepEqual(conditions.filter((when) => !when.includes(`LangId =~ /^(${LANGUAGES.join('|')})$/`)), []);
});

test("commands don't have the names of the server's, which the client registers itself", () => {
  for (const { command } of manifest.contributes.commands) {
    assert.ok(!['agentmd.apply', 'agentmd.show', 'agentmd.copySelector', 'agentmd.rewriteSelectors', 'agentmd.addToContext', 'agentmd.loaded', 'agentmd.cost', 'agentmd.graph', 'agentmd.explain', 'agentmd.preview', 'agentmd.references', 'agentmd.review', 'agentmd.compare', 'agentmd.overview', 'agentmd.insertions', 'agentmd.cases'].includes(command));
  }
});

test('messages have no backticks, which VS Code would show as they are', () => {
  assert.doesNotMatch(sources, /show(?:Information|Warning|Error)Message\([^\n]*\\`/);
});

test('every setting of the extension is read, and every one of the server is in its schema', () => {
  const schema = read('../../docs/agentmd.schema.json') as { properties: Record<string, unknown> };
  const settings = manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  for (const setting of settings.map((name) => name.replace('agentmd.', ''))) {
    assert.ok(setting in schema.properties || ['server.path', 'trace.server'].includes(setting), setting);
  }
  assert.ok(Object.keys(schema.properties).every((name) => settings.includes(`agentmd.${name}`)));
});

test('files that the package names exist', () => {
  const { grammars, snippets, languages, walkthroughs } = manifest.contributes;
  const media = walkthroughs.flatMap(({ steps }) => steps.map((step) => step.media.image ?? step.media.markdown));
  const named = [...grammars, ...snippets].map((one) => one.path).concat(languages.flatMap((one) => one.configuration ?? []), media.flatMap((file) => file ?? []));
  for (const file of named) {
    const source = file.replace(/^dist\/pictures\//, '../../docs/pictures/');
    assert.ok(existsSync(path.join(root, source)), file);
  }
});

test('each step of the walkthrough is ticked, even if the walkthrough is opened afterwards', () => {
  const milestones = [...sources.matchAll(/reach\('(\w+)'\)/g)].map(([, name]) => name);
  for (const { id, completionEvents } of manifest.contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    const [name, ...others] = completionEvents.flatMap((event) => /^onContext:agentmd\.(\w+) == reached$/.exec(event)?.[1] ?? []);
    assert.ok(name && others.length === 0 && milestones.includes(name), id);
    assert.ok(completionEvents.includes(`onContext:agentmd.${name} == shown`), id);
  }
});

test('the package contains only files that are run or read', () => {
  const listed = execFileSync(path.join(root, 'node_modules/.bin/vsce'), ['ls', '--no-dependencies'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n').filter(Boolean);
  const packed = /^(package\.json|package\.nls\.json|l10n\/bundle\.l10n\.json|language-configuration\.json|icon\.png|README\.md|CHANGELOG\.md|LICENSE\.txt|walkthrough\/\w+\.md|syntaxes\/\w+\.json|snippets\/\w+\.json|dist\/extension\.js|dist\/pictures\/vscode-[\w-]+\.png|bin\/agentmd(\.exe)?)$/;
  assert.deepEqual(listed.filter((file) => !packed.test(file)), []);
  assert.ok(['package.json', 'package.nls.json', 'l10n/bundle.l10n.json', 'README.md', 'CHANGELOG.md'].every((file) => listed.includes(file)), listed.join(' '));
});

test('pictures are small, few, and each is on a page', () => {
  const docs = path.join(root, '../../docs');
  const pages = readdirSync(docs).filter((file) => file.endsWith('.md')).map((file) => readFileSync(path.join(docs, file), 'utf8')).join('\n');
  const pictures = readdirSync(path.join(docs, 'pictures'));
  assert.ok(pictures.length <= 26, `${pictures.length} pictures`);
  for (const picture of pictures) {
    assert.ok(pages.includes(`](pictures/${picture})`), `${picture} is on no page`);
    assert.ok(statSync(path.join(docs, 'pictures', picture)).size < 150 * 1024, picture);
  }
  const driven = readdirSync(path.join(root, 'drive/steps')).flatMap((file) => [...readFileSync(path.join(root, 'drive/steps', file), 'utf8').matchAll(/(?:picture|keep)\('([\w-]+)'/g)].map(([, name]) => `vscode-${name}.png`));
  assert.deepEqual(pictures.filter((name) => name.startsWith('vscode-')).sort(), driven.sort(), 'pictures must be exactly those that the drive makes');
});

test('a name with underscores is one word, and one with hyphens is several, as in all Markdown', () => {
  const { wordPattern } = read('language-configuration.json') as { wordPattern: { pattern: string; flags: string } };
  const words = (text: string): string[] => [...text.matchAll(new RegExp(wordPattern.pattern, `${wordPattern.flags}g`))].map(([word]) => word);
  assert.deepEqual(words('call mcp__docs__search, _triage_ well-known ACTION_0_TYPE 日本語'), ['call', 'mcp__docs__search', 'triage', 'well', 'known', 'ACTION_0_TYPE', '日本語']);
});

test('the package has the version of the program', () => {
  const cargo = readFileSync(path.join(root, '../../Cargo.toml'), 'utf8');
  assert.equal(manifest.version, /^version = "(.*)"$/m.exec(cargo)?.[1]);
});

test('snippets of every format have a prefix, and their tab stops are numbered without gaps', () => {
  const snippets = read('snippets/markdown.json') as Record<string, { prefix: string[]; body: string[]; description: string }>;
  for (const format of ['markdownlang', 'duckflow', 'edit', 'llmd', 'context', 'mdsel']) {
    assert.ok(Object.values(snippets).some(({ prefix }) => prefix.includes(format)), format);
  }
  for (const [name, { body, description }] of Object.entries(snippets)) {
    assert.ok(description, name);
    const stops = [...body.join('\n').matchAll(/\$\{?(\d+)/g)].map((found) => Number(found[1]));
    const last = Math.max(...stops);
    assert.deepEqual([...new Set(stops)].filter((stop) => stop > 0).sort((a, b) => a - b), Array.from({ length: last }, (_, index) => index + 1), name);
  }
});
