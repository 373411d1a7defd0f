import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { test } from 'node:test';
import { asDiff, extendMarkdownIt, type MarkdownIt } from '../src/rendering';

interface Parsed {
  type: string;
  tag: string;
  info: string;
  content: string;
  map: [number, number] | null;
}
type Engine = MarkdownIt & { parse(text: string, environment: object): Parsed[]; render(text: string): string };

const require_ = createRequire(path.join(process.cwd(), 'package.json'));
const create = require_('markdown-it') as () => Engine;
const engine = extendMarkdownIt(create());

function headings(text: string, by: Engine = engine): string[] {
  const tokens = by.parse(text, {});
  return tokens.flatMap((token, index) => (token.type === 'heading_open' ? [tokens[index + 1]?.content ?? ''] : []));
}
function pieces(text: string): Parsed[] {
  return engine.parse(text, {}).filter((token) => token.type === 'agentmd_piece');
}

const BLOCK = 'src/greet.py\n<<<<<<< SEARCH\n# a comment\ngreet("world")\n=======\ngreet("Hei")\n>>>>>>> REPLACE\n';

test('lines of edit blocks are not headings in VS Code, in any dialect', () => {
  const others = [BLOCK, BLOCK.replaceAll('<<<<<<<', '<<<<<<').replaceAll('>>>>>>>', '>>>>>>'), 'a.py\n------- SEARCH\n# old\n=======\nnew\n+++++++ REPLACE\n', 'a.py\n<<<<<<< ORIGINAL\n# old\n=======\nnew\n>>>>>>> UPDATED\n'];
  for (const text of others) {
    assert.notDeepEqual(headings(text, create()), [], 'without the plugin, the text has a heading');
    assert.deepEqual(headings(`# Answer\n\n${text}\n## More\n`), ['Answer', 'More'], text);
  }
});

test('an edit block is shown as a diff, at its lines', () => {
  assert.deepEqual(pieces(BLOCK).map(({ info, content, map }) => [info, content, map]), [['diff', '-# a comment\n-greet("world")\n+greet("Hei")\n', [1, 7]]]);
  assert.match(engine.render(BLOCK), /<p>src\/greet\.py<\/p>\s*<pre><code class="language-diff">-# a comment/);
});

test('the content of an action is code in the language of its path, and edit blocks in it are diffs', () => {
  const text = readFileSync('drive/workspace/reply.md', 'utf8');
  assert.notDeepEqual(headings(text, create()), []);
  assert.deepEqual(headings(text), []);
  assert.deepEqual(pieces(text).map(({ info }) => info), ['diff', 'md']);
  const html = engine.render(text);
  assert.match(html, /<p><code>\[ACTION_0_TYPE\]<\/code> edit_file<\/p>/);
  assert.match(html, /# Notes/);
});

test('other text is read as before', () => {
  for (const text of [
    'Text\n=======\n\nMore\n-------\n',
    '<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> branch\n',
    '```text\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n',
    '<<<<<<< SEARCH\nnothing ends this\n=======\n',
    '[NOTES] are taken, see [NOTES](notes.md).\n\n- [ ] item\n',
  ]) {
    assert.equal(engine.render(text), create().render(text), text);
  }
});

test('unclosed blocks are read in linear time', () => {
  const cost = (count: number): number => {
    const before = process.cpuUsage();
    engine.parse('<<<<<<< SEARCH\n\n'.repeat(count), {});
    engine.parse(`${'<<<<<<< SEARCH\n\n'.repeat(count)}>>>>>>> REPLACE\n`, {});
    engine.parse('[ACTION_0_TYPE] create_file\n[ACTION_0_CONTENT_START]\n\n'.repeat(count), {});
    engine.parse('[X] y\n\n'.repeat(count * 2), {});
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  cost(500);
  // Four times as many should take four times as long; sixteen times would be quadratic.
  const [few, many] = [cost(2500), cost(10_000)];
  assert.ok(many < 10 * few, `${few} and ${many} µs of the processor`);
});

test('a diff has both sides of a block, and a block without a divider has none', () => {
  assert.equal(asDiff(['a', '=======', '', 'b']), '-a\n+\n+b\n');
  assert.equal(asDiff(['a', 'b']), undefined);
});
