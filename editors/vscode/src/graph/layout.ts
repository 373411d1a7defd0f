import * as l10n from '@vscode/l10n';
import { number } from '../translation';

/** The answer of `agentmd.graph`. */
export interface Graph {
  readonly nodes: readonly { readonly id: string; readonly name: string; readonly kind: string; readonly path: string; readonly client?: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly why: string }[];
  readonly dead: readonly { readonly path: string; readonly line: number; readonly name: string }[];
  readonly duplicates: readonly (readonly string[])[];
}

/** A box of the drawing. */
export interface Box {
  readonly id: string;
  readonly label: string;
  /** For example `skill`, or `missing` for an unresolved name. */
  readonly kind: string;
  /** The file that a click opens, relative to the workspace folder; for a missing name, the file that mentions it. */
  readonly path: string;
  readonly line?: number;
  /** The description for a screen reader. */
  readonly spoken: string;
  readonly x: number;
  readonly y: number;
}

/** A line between two boxes. */
export interface Line {
  readonly from: Box;
  readonly to: Box;
  readonly why: string;
}

export interface Drawing {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

export const BOX = { width: 190, height: 40, across: 110, down: 18, margin: 16 } as const;
const MOST_LETTERS = 24;

function short(name: string): string {
  return name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1)}…`;
}

interface Place {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly line?: number;
}

/** The column of each node: to the right of all nodes that use it. Cycles are entered where they're first found. */
function columns(ids: readonly string[], uses: ReadonlyMap<string, readonly string[]>): Map<string, number> {
  const used = new Set([...uses.values()].flat());
  const found = new Map<string, number>();
  const roots = ids.filter((id) => !used.has(id));
  // Longest paths, without going round a cycle.
  const visit = (id: string, column: number, above: ReadonlySet<string>): void => {
    if (above.has(id) || (found.get(id) ?? -1) >= column || above.size > ids.length) {
      return;
    }
    found.set(id, column);
    (uses.get(id) ?? []).forEach((next) => visit(next, column + 1, new Set([...above, id])));
  };
  roots.forEach((id) => visit(id, 0, new Set()));
  // Nodes that are reachable only through a cycle.
  ids.forEach((id) => found.has(id) || visit(id, 0, new Set()));
  return found;
}

/** Places the nodes in columns from left to right. Nodes that nothing is connected to come last. */
export function layout(graph: Graph): Drawing {
  const missing: Place[] = graph.dead.map(({ path, line, name }, at) => ({ id: `missing:${at}`, name, kind: 'missing', path, line }));
  const places: Place[] = [...graph.nodes.map(({ id, name, kind, path }) => ({ id, name, kind, path })), ...missing];
  const edges = [...graph.edges, ...graph.dead.map(({ path }, at) => ({ from: path, to: `missing:${at}`, why: 'missing' }))];
  const known = new Set(places.map(({ id }) => id));
  const real = edges.filter(({ from, to }) => known.has(from) && known.has(to));
  const uses = new Map<string, string[]>();
  const users = new Map<string, string[]>();
  for (const { from, to } of real) {
    uses.set(from, [...(uses.get(from) ?? []), to]);
    users.set(to, [...(users.get(to) ?? []), from]);
  }
  const connected = places.filter(({ id }) => uses.has(id) || users.has(id));
  const alone = places.filter(({ id }) => !uses.has(id) && !users.has(id));
  const column = columns(connected.map(({ id }) => id), uses);
  const rows: Place[][] = [];
  for (const place of connected) {
    (rows[column.get(place.id) ?? 0] ??= []).push(place);
  }
  const step = BOX.height + BOX.down;
  const at = new Map<string, { x: number; y: number }>();
  const mean = (id: string): number => {
    const above = (users.get(id) ?? []).flatMap((user) => at.get(user)?.y ?? []);
    return above.length > 0 ? above.reduce((sum, y) => sum + y, 0) / above.length : Number.MAX_SAFE_INTEGER;
  };
  rows.forEach((row, index) => {
    const sorted = index === 0 ? row : [...row].sort((left, right) => mean(left.id) - mean(right.id));
    sorted.forEach(({ id }, place) => at.set(id, { x: BOX.margin + index * (BOX.width + BOX.across), y: BOX.margin + place * step }));
  });
  const deepest = Math.max(0, ...rows.map((row) => row.length));
  const wide = Math.max(1, rows.length);
  const below = BOX.margin + deepest * step + (connected.length > 0 && alone.length > 0 ? BOX.height : 0);
  const perRow = Math.max(wide, 3);
  alone.forEach(({ id }, index) => at.set(id, { x: BOX.margin + (index % perRow) * (BOX.width + BOX.margin), y: below + Math.floor(index / perRow) * step }));
  const twins = new Set(graph.duplicates.flat());
  const boxes = places.map(({ id, name, kind, path, line }): Box => {
    const parts = kind === 'missing' ? [l10n.t('{0} missing', name), l10n.t('named in {0}, line {1}', path, line ?? 0)] : [`${name} ${kind}`, path, using(uses.get(id)), usedBy(users.get(id)), twins.has(id) ? l10n.t('another file has the same name') : ''];
    return { id, label: short(name), kind, path, ...(line === undefined ? {} : { line }), spoken: parts.filter(Boolean).join(', '), ...(at.get(id) ?? { x: 0, y: 0 }) };
  });
  const by = new Map(boxes.map((box) => [box.id, box]));
  const lines = real.flatMap(({ from, to, why }): Line[] => {
    const [start, end] = [by.get(from), by.get(to)];
    return start && end ? [{ from: start, to: end, why }] : [];
  });
  const width = Math.max(0, ...boxes.map(({ x }) => x)) + BOX.width + BOX.margin;
  const height = Math.max(0, ...boxes.map(({ y }) => y)) + BOX.height + BOX.margin;
  return { boxes, lines, width, height };
}

function using(others: readonly string[] | undefined): string {
  return others === undefined ? '' : l10n.t('uses {0}', number(others.length));
}

function usedBy(others: readonly string[] | undefined): string {
  return others === undefined ? '' : l10n.t('used by {0}', number(others.length));
}
