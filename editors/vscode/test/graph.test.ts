import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOX, layout, type Graph } from '../src/graph/layout';
import { graphPage } from '../src/graph/page';

const node = (id: string, kind = 'skill'): Graph['nodes'][number] => ({ id, name: id, kind, path: `${id}.md` });
const uses = (from: string, to: string): Graph['edges'][number] => ({ from, to, why: 'skill' });

test('a file is to the right of those that use it, and boxes never overlap', () => {
  const graph: Graph = { nodes: ['a', 'b', 'c', 'd', 'alone'].map((id) => node(id)), edges: [uses('a', 'b'), uses('b', 'c'), uses('a', 'c'), uses('d', 'c')], dead: [], duplicates: [] };
  const { boxes, lines, width, height } = layout(graph);
  const at = new Map(boxes.map((box) => [box.id, box]));
  assert.equal(lines.length, 4);
  assert.ok(lines.every(({ from, to }) => from.x < to.x));
  for (const one of boxes) {
    assert.ok(boxes.every((other) => other === one || Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height), one.id);
    assert.ok(one.x + BOX.width <= width && one.y + BOX.height <= height);
  }
  assert.match(at.get('a')?.spoken ?? '', /uses 2/);
  assert.match(at.get('c')?.spoken ?? '', /used by 3/);
});

test('cycles, unresolved names and an empty workspace are drawn', () => {
  const graph: Graph = { nodes: [node('a'), node('b')], edges: [uses('a', 'b'), uses('b', 'a'), uses('a', 'gone')], dead: [{ path: 'a', line: 3, name: 'tea' }], duplicates: [['a', 'b']] };
  const { boxes, lines } = layout(graph);
  assert.deepEqual(boxes.map(({ kind }) => kind), ['skill', 'skill', 'missing']);
  assert.equal(lines.length, 3);
  assert.match(boxes[2]?.spoken ?? '', /tea missing, named in a, line 3/);
  assert.deepEqual(layout({ nodes: [], edges: [], dead: [], duplicates: [] }).boxes, []);
});

test('the longest path counts, regardless of the order of the uses', () => {
  const ids = Array.from({ length: 40 }, (_, at) => `n${at}`);
  const edges = ids.flatMap((from, at) => ids.slice(at + 1).map((to) => uses(from, to)));
  for (const listed of [edges, [...edges].reverse()]) {
    const { boxes } = layout({ nodes: ids.map((id) => node(id)), edges: listed, dead: [], duplicates: [] });
    assert.equal(new Set(boxes.map(({ x }) => x)).size, ids.length);
  }
});

test('names are escaped', () => {
  const drawing = layout({ nodes: [{ id: 'x', name: '<img src=x onerror=alert(1)>"', kind: 'skill', path: 'x' }], edges: [], dead: [], duplicates: [] });
  const page = graphPage(drawing, 'n');
  assert.ok(!page.includes('<img') && !page.includes('onerror=alert(1)>"'));
});
