import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { test } from 'node:test';
import { createOnigScanner, createOnigString, loadWASM } from 'vscode-oniguruma';
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from 'vscode-textmate';

const root = process.cwd();
const require_ = createRequire(path.join(root, 'package.json'));
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: { grammars: { scopeName: string; path: string; injectTo: string[] }[] };
};
const own = new Map(manifest.contributes.grammars.map((grammar) => [grammar.scopeName, path.join(root, grammar.path)]));
/** Replacements for VS Code's own grammars, which are the same files. */
const foreign = new Map([
  ['text.html.markdown', 'markdown'],
  ['source.yaml', 'yaml'],
  ['source.shell', 'shellscript'],
  ['source.python', 'python'],
]);

async function markdown(): Promise<IGrammar> {
  await loadWASM(readFileSync(require_.resolve('vscode-oniguruma/release/onig.wasm')).buffer as ArrayBuffer);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: (scope) => {
      const other = foreign.get(scope);
      const file = own.get(scope) ?? (other ? path.join(root, 'node_modules/tm-grammars/grammars', `${other}.json`) : undefined);
      return Promise.resolve(file ? parseRawGrammar(readFileSync(file, 'utf8'), file) : null);
    },
    getInjections: (scope) => manifest.contributes.grammars.filter((grammar) => grammar.injectTo.includes(scope)).map((grammar) => grammar.scopeName),
  });
  const grammar = await registry.loadGrammar('text.html.markdown');
  assert.ok(grammar);
  return grammar;
}

const loaded = markdown();

/** Every token of a text, with its characters and its scopes in one string. */
async function tokens(text: string): Promise<{ line: number; written: string; scopes: string }[]> {
  const grammar = await loaded;
  let stack = INITIAL;
  return text.split('\n').flatMap((line, number) => {
    const found = grammar.tokenizeLine(line, stack);
    stack = found.ruleStack;
    return found.tokens.map((token) => ({ line: number, written: line.slice(token.startIndex, token.endIndex), scopes: token.scopes.join(' ') }));
  });
}

/** The scopes of every token `written`. */
async function scopes(text: string, written: string): Promise<string[]> {
  return (await tokens(text)).filter((token) => token.written.trim() === written).map((token) => token.scopes);
}

async function assertScope(text: string, written: string, wanted: string): Promise<void> {
  const found = await scopes(text, written);
  assert.ok(found.length > 0, `no token \`${written}\``);
  assert.ok(found.every((all) => all.includes(wanted)), `\`${written}\` is ${found.join(' and ')}, not ${wanted}`);
}

async function assertNone(text: string, written: RegExp, unwanted: string): Promise<void> {
  for (const token of await tokens(text)) {
    assert.ok(!written.test(token.written) || !token.scopes.includes(unwanted), `\`${token.written}\` is ${token.scopes}`);
  }
}

const PROGRAM = ['---', 'name: a', 'description: "{{ .no }}"', '---', '', '# For {{ .customer.name | upper }}', '', '{{- range $i, $item := .items }}', '- {{ $item }} "quoted"', '{{ end }}', '', '```python', 'print("{{ .code }}")', '```', ''].join('\n');

test('templates are coloured in the body, in headings, lists and fences', async () => {
  await assertScope(PROGRAM, 'customer', 'variable.other.property.template.agentmd');
  await assertScope(PROGRAM, 'upper', 'support.function.template.agentmd');
  await assertScope(PROGRAM, 'range', 'keyword.control.template.agentmd');
  await assertScope(PROGRAM, '$item', 'variable.other.template.agentmd');
  await assertScope(PROGRAM, 'end', 'keyword.control.template.agentmd');
  await assertScope(PROGRAM, 'code', 'variable.other.property.template.agentmd');
});

test('front matter contains no templates', async () => {
  await assertNone(PROGRAM, /no/, 'template.agentmd');
});

test('a template that is not closed ends at the next one or at a blank line', async () => {
  const text = 'a {{ .b\n\nplain {{ .c }} word {{ .d {{ .e }} after';
  await assertNone(text, /plain|word|after/, 'meta.template.agentmd');
  await assertScope(text, 'e', 'variable.other.property.template.agentmd');
});

test('comments of templates are comments', async () => {
  await assertScope('a {{/* said .once */}} b', 'said .once', 'comment.block.template.agentmd');
});

const REPLY = ['[REASONING]', 'Because.', '', '[CONFIDENCE] 0.85', '', '[ACTION_0_TYPE] create_file', '[ACTION_0_PATH] src/a.md', '[ACTION_0_CONTENT_START]', '# No heading', '{{ .field }}', '[ACTION_1_CONTENT_END]', '[ACTION_0_CONTENT_END]', '', '# A heading', ''].join('\n');

test('the markers of a Duckflow reply are distinguished', async () => {
  await assertScope(REPLY, 'REASONING', 'entity.name.section.agentmd');
  await assertScope(REPLY, 'CONFIDENCE', 'variable.other.constant.vital.agentmd');
  await assertScope(REPLY, '0.85', 'constant.numeric.agentmd');
  await assertScope(REPLY, 'create_file', 'entity.name.function.agentmd');
  await assertScope(REPLY, 'src/a.md', 'string.unquoted.parameter.agentmd');
  await assertScope(REPLY, 'CONTENT_START', 'entity.other.attribute-name.agentmd');
});

test('the content of an action is not Markdown, and ends with the marker of its own number', async () => {
  await assertScope(REPLY, '# No heading', 'meta.content.agentmd');
  await assertNone(REPLY, /No heading/, 'markup.heading');
  await assertScope(REPLY, '[ACTION_1_CONTENT_END]', 'meta.content.agentmd');
  await assertNone(REPLY, /A heading/, 'meta.content.agentmd');
});

test('markers in a fence are documentation', async () => {
  await assertNone('```text\n[REASONING]\n[MOOD] 0.5\n```\n', /REASONING|MOOD|0\.5/, 'section.agentmd');
});

const EDIT = ['src/a.py', '```python', '<<<<<<< SEARCH', 'old()', '=======', 'new()', '>>>>>>> REPLACE', '```', '', 'after', '', '<<<<<< CHANGELOG', 'said', '>>>>>> CHANGELOG', ''].join('\n');

test('an edit block shows deleted and inserted lines', async () => {
  await assertScope(EDIT, '<<<<<<< SEARCH', 'keyword.other.edit.agentmd');
  await assertScope(EDIT, '=======', 'keyword.other.edit.agentmd');
  await assertScope(EDIT, '>>>>>>> REPLACE', 'keyword.other.edit.agentmd');
  await assertScope(EDIT, 'old()', 'markup.deleted.agentmd');
  await assertScope(EDIT, 'new()', 'markup.inserted.agentmd');
  await assertScope(EDIT, 'said', 'markup.inserted.agentmd');
  await assertNone(EDIT, /after/, 'meta.edit.agentmd');
});

test('the divider of an edit block does not make the line above it a heading', async () => {
  const bare = EDIT.replace('```python\n', '').replace('\n```', '');
  await assertScope(bare, 'old()', 'markup.deleted.agentmd');
  await assertNone(bare, /old|new/, 'markup.heading');
});

test('a block that is not closed ends at the next one', async () => {
  const text = '<<<<<<< SEARCH\na\n=======\nb\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n';
  await assertScope(text, 'c', 'markup.deleted.agentmd');
  await assertScope(text, 'd', 'markup.inserted.agentmd');
});

test('a setext heading and a conflict are not edit blocks', async () => {
  await assertNone('Title\n=======\n\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n', /./, 'meta.edit.agentmd');
});

test('edits inside the content of an action are coloured too', async () => {
  const text = '[ACTION_0_TYPE] edit_file\n[ACTION_0_CONTENT_START]\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n[ACTION_0_CONTENT_END]\n\nafter\n';
  await assertScope(text, 'old', 'markup.deleted.agentmd');
  await assertScope(text, 'new', 'markup.inserted.agentmd');
  await assertNone(text, /after/, 'agentmd');
});

const SELECTORS = 'See `readme::heading:h2[1]/block:code[0]?full=true` and `section[2]`.\n\n```sh\nagentmd select guide::block:list[0] guide.md\n```\n';

test('selectors are coloured in code spans and in shell blocks', async () => {
  await assertScope(SELECTORS, 'readme', 'entity.name.namespace.agentmd');
  await assertScope(SELECTORS, 'h2', 'entity.name.type.selector.agentmd');
  await assertScope(SELECTORS, 'full', 'variable.parameter.query.agentmd');
  await assertScope(SELECTORS, 'section', 'entity.name.type.selector.agentmd');
  await assertScope(SELECTORS, 'guide', 'entity.name.namespace.agentmd');
  await assertScope(SELECTORS, 'list', 'entity.name.type.selector.agentmd');
});

test('prose and other kinds of code contain no selectors', async () => {
  await assertNone('A section[1] in prose, readme::root too.\n\n`std::vec::Vec` `block` `section`\n\n```rust\nuse a::b;\n```\n', /./, 'meta.selector.agentmd');
});
