/**
 * Makes VS Code's own Markdown support treat edit blocks and the content of replies as code, without headings or lists.
 * Its outline, folding, links and preview all use these rules.
 */

/** The parts of markdown-it used here. */
interface Token {
  content: string;
  info: string;
  markup: string;
  map: [number, number] | null;
  children: Token[] | null;
  block: boolean;
}
interface State {
  readonly src: string;
  readonly bMarks: readonly number[];
  readonly eMarks: readonly number[];
  readonly blkIndent: number;
  line: number;
  push(type: string, tag: string, nesting: -1 | 0 | 1): Token;
}
type Rule = (state: State, start: number, end: number, silent: boolean) => boolean;
type Render = (tokens: Token[], index: number, ...rest: unknown[]) => string;
export interface MarkdownIt {
  block: { ruler: { before(name: string, rule: string, find: Rule, options: { alt: string[] }): void } };
  renderer: { rules: Record<string, Render | undefined> };
}

const HEAD = /^ {0,3}(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL|SEARCH_MISSION)>?(?: line=\d+)?[ \t]*$/;
const DIVIDER = /^ {0,3}={5,9}[ \t]*$/;
const END = /^ {0,3}(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED|REPLACE_MISSION)>?[ \t]*$/;
const MARKER = /^ {0,3}\[([A-Z][A-Z0-9_]+)\](?![([:])(.*)$/;
const CONTENT = /^ACTION_(\d+)_CONTENT_START$/;
const REPLY = /^ {0,3}\[(?:REASONING|ACTION_\d+_TYPE)\]/m;
const replies = new WeakMap<State, boolean>();

function lineOf(state: State, line: number): string {
  return state.src.slice(state.bMarks[line], state.eMarks[line]);
}

/** The line that ends the block below a head. The next head is handled separately, so no line is read twice. */
function endOf(state: State, from: number, end: number): number | undefined {
  for (let line = from; line < end && !HEAD.test(lineOf(state, line)); line += 1) {
    if (END.test(lineOf(state, line))) {
      return line;
    }
  }
  return undefined;
}

const ends = new WeakMap<State, Map<string, number[]>>();

/** The lines at which the content of each action ends, read once for a document. */
function contentEnds(state: State, end: number): Map<string, number[]> {
  const known = ends.get(state) ?? new Map<string, number[]>();
  if (!ends.has(state)) {
    ends.set(state, known);
    for (let line = end - 1; line >= 0; line -= 1) {
      const index = /^ACTION_(\d+)_CONTENT_END$/.exec(MARKER.exec(lineOf(state, line))?.[1] ?? '')?.[1];
      if (index !== undefined) {
        const lines = known.get(index) ?? [];
        lines.push(line);
        known.set(index, lines);
      }
    }
  }
  return known;
}

/** The first line after `start` at which the content of this action ends. */
function contentEnd(state: State, start: number, end: number, index: string): number | undefined {
  const lines = contentEnds(state, end).get(index) ?? [];
  while ((lines.at(-1) ?? end) <= start) {
    lines.pop();
  }
  return lines.at(-1);
}

/** The lines of an edit block as a diff; `undefined` if the block has no divider. */
export function asDiff(lines: readonly string[]): string | undefined {
  const divider = lines.findIndex((line) => DIVIDER.test(line));
  if (divider < 0) {
    return undefined;
  }
  const removed = lines.slice(0, divider).map((line) => `-${line}\n`);
  const added = lines.slice(divider + 1).map((line) => `+${line}\n`);
  return [...removed, ...added].join('');
}

function piece(state: State, first: number, next: number, info: string, content: string): void {
  const token = state.push('agentmd_piece', 'code', 0);
  token.info = info;
  token.content = content;
  token.markup = '```';
  token.block = true;
  token.map = [first, next];
  state.line = next;
}

function linesOf(state: State, from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => lineOf(state, from + index));
}

const editBlock: Rule = (state, start, end, silent) => {
  if (state.blkIndent !== 0 || !HEAD.test(lineOf(state, start))) {
    return false;
  }
  const last = endOf(state, start + 1, end);
  const diff = last === undefined ? undefined : asDiff(linesOf(state, start + 1, last));
  if (last === undefined || diff === undefined) {
    return false;
  }
  if (!silent) {
    piece(state, start, last + 1, 'diff', diff);
  }
  return true;
};

/** The language of an action's content, from the extension of its path. */
function languageOf(state: State, start: number, index: string): string {
  for (let line = start - 1; line >= Math.max(0, start - 20); line -= 1) {
    const path = new RegExp(`^ {0,3}\\[ACTION_${index}_PATH\\].*\\.(\\w+)\\s*$`).exec(lineOf(state, line));
    if (path?.[1]) {
      return path[1];
    }
  }
  return '';
}

function isReply(state: State): boolean {
  const known = replies.get(state) ?? REPLY.test(state.src);
  replies.set(state, known);
  return known;
}

const marker: Rule = (state, start, end, silent) => {
  const found = state.blkIndent === 0 ? MARKER.exec(lineOf(state, start)) : null;
  const [, name, rest] = found ?? [];
  if (!name || rest === undefined || !isReply(state)) {
    return false;
  }
  if (silent) {
    return true;
  }
  const open = state.push('paragraph_open', 'p', 1);
  open.map = [start, start + 1];
  const inline = state.push('inline', '', 0);
  inline.content = `\`[${name}]\`${rest}`;
  inline.map = [start, start + 1];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
  state.line = start + 1;
  const index = CONTENT.exec(name)?.[1];
  const last = index === undefined ? undefined : contentEnd(state, start, end, index);
  if (index === undefined || last === undefined) {
    return true;
  }
  content(state, start + 1, last, languageOf(state, start, index));
  return true;
};

/** The content of an action: its edit blocks as diffs, and everything else as code. */
function content(state: State, from: number, to: number, language: string): void {
  let plain = from;
  const flush = (until: number): void => {
    const lines = linesOf(state, plain, until);
    if (lines.some((line) => line.trim() !== '')) {
      piece(state, plain, until, language, `${lines.join('\n')}\n`);
    }
  };
  for (let line = from; line < to; line += 1) {
    if (HEAD.test(lineOf(state, line))) {
      const last = endOf(state, line + 1, to);
      const diff = last === undefined ? undefined : asDiff(linesOf(state, line + 1, last));
      if (last !== undefined && diff !== undefined) {
        flush(line);
        piece(state, line, last + 1, 'diff', diff);
        plain = last + 1;
        line = last;
      }
    }
  }
  flush(to);
  state.line = to;
}

/** Teaches markdown-it the syntax of replies. */
export function extendMarkdownIt<T extends MarkdownIt>(md: T): T {
  const alt = ['paragraph', 'reference', 'blockquote', 'list'];
  md.block.ruler.before('fence', 'agentmd_edit_block', editBlock, { alt });
  md.block.ruler.before('fence', 'agentmd_marker', marker, { alt });
  md.renderer.rules['agentmd_piece'] = (tokens, index, ...rest) => md.renderer.rules['fence']?.(tokens, index, ...rest) ?? '';
  return md;
}
