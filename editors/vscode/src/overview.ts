import * as l10n from '@vscode/l10n';
import { number } from './translation';
import { capitalised } from './wording';

/** The answer of `agentmd.overview`. */
export interface Overview {
  readonly clients: readonly ClientFiles[];
  readonly programs: readonly { readonly path: string; readonly name: string }[];
  readonly budget?: number;
}

export interface ClientFiles {
  readonly client: string;
  readonly title: string;
  readonly always: number;
  readonly counted: string;
  /** The kinds of files that `agentmd new` can write for it. */
  readonly new: readonly string[];
  readonly files: readonly AgentFile[];
}

export interface AgentFile {
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  readonly outcome: 'loaded' | 'partly' | 'not-loaded' | 'does-not-start';
  readonly reasons?: readonly string[];
  readonly always: number;
  readonly matched: number;
  readonly on_demand: number;
}

/** A row of the view: a client, a kind of file, or a file. */
export interface Row {
  /** Stays the same when the rows change. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly state: 'group' | 'loaded' | 'partly' | 'failing' | 'program' | 'warning';
  /** Relative to the workspace folder. */
  readonly path?: string;
  readonly kind?: string;
  readonly rows: readonly Row[];
}

/** `~1,240`; without `~` if the tokens are counted with a vocabulary. */
function amount(count: number, counted: string): string {
  return `${counted === 'bytes/4' ? '~' : ''}${number(count)}`;
}

/** `~1,240 tokens` */
export function tokens(count: number, counted: string): string {
  const written = amount(count, counted);
  return count === 1 ? l10n.t('{0} token', written) : l10n.t('{0} tokens', written);
}

/** The kinds of files that have their own headings, in order. */
const ORDER = ['memory', 'skill', 'agent', 'command', 'prompt', 'rule', 'instructions', 'workflow'];

function heading(kind: string): string {
  switch (kind) {
    case 'memory':
      return l10n.t('Memory files');
    case 'skill':
      return l10n.t('Skills');
    case 'agent':
      return l10n.t('Agents');
    case 'command':
      return l10n.t('Commands');
    case 'prompt':
      return l10n.t('Prompts');
    case 'rule':
      return l10n.t('Rules');
    case 'instructions':
      return l10n.t('Instructions');
    case 'workflow':
      return l10n.t('Workflows');
    default:
      return capitalised(kind.replaceAll('-', ' '));
  }
}

/** A client's verdict on a file, in words. */
export function verdict(outcome: AgentFile['outcome']): string {
  switch (outcome) {
    case 'loaded':
      return l10n.t('loaded');
    case 'partly':
      return l10n.t('loaded in part');
    case 'not-loaded':
      return l10n.t('not loaded');
    case 'does-not-start':
      return l10n.t('does not start');
  }
}

/** The cost of a file by when it's loaded: `~12 always, ~340 on demand`. */
function cost(file: AgentFile, counted: string): string {
  const parts = [
    file.always > 0 ? l10n.t('{0} always', amount(file.always, counted)) : '',
    file.matched > 0 ? l10n.t('{0} when files match', amount(file.matched, counted)) : '',
    file.on_demand > 0 ? l10n.t('{0} on demand', amount(file.on_demand, counted)) : '',
  ];
  return parts.filter(Boolean).join(', ');
}

function row(client: ClientFiles, file: AgentFile): Row {
  const costs = cost(file, client.counted);
  const reasons = (file.reasons ?? []).map((reason) => reason.replaceAll('`', '')).join('; ');
  const outcome = verdict(file.outcome);
  const state = file.outcome === 'loaded' ? 'loaded' : file.outcome === 'partly' ? 'partly' : 'failing';
  return {
    id: `${client.client}:${file.path}`,
    label: file.name,
    description: [file.outcome === 'loaded' ? undefined : outcome, costs].filter(Boolean).join(' · '),
    tooltip: [file.path, `${client.title}: ${outcome}${reasons ? ` (${reasons})` : ''}`, costs && l10n.t('Tokens: {0}', costs)].filter(Boolean).join('\n'),
    state,
    path: file.path,
    kind: file.kind,
    rows: [],
  };
}

/** `3 files, 1 not loaded` */
function count(files: readonly AgentFile[]): string {
  const failing = files.filter(({ outcome }) => outcome === 'not-loaded' || outcome === 'does-not-start').length;
  return failing > 0 ? l10n.t('{0}, {1} not loaded', number(files.length), number(failing)) : number(files.length);
}

function kinds(client: ClientFiles): Row[] {
  const found = [...new Set(client.files.map(({ kind }) => kind))];
  const rank = (kind: string): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  found.sort((left, right) => rank(left) - rank(right) || left.localeCompare(right));
  return found.map((kind) => {
    const files = client.files.filter((file) => file.kind === kind);
    return { id: `${client.client}/${kind}`, label: heading(kind), description: count(files), tooltip: heading(kind), state: 'group', kind, rows: files.map((file) => row(client, file)) };
  });
}

/** `~1,240 tokens always of 2,000` */
function load(always: string, budget: number | undefined, over: boolean): string {
  if (budget === undefined) {
    return l10n.t('{0} always', always);
  }
  return over ? l10n.t('{0} always, over the budget of {1}', always, number(budget)) : l10n.t('{0} always of {1}', always, number(budget));
}

/** The rows of the view: clients with their files by kind, and programs. */
export function rows(overview: Overview): Row[] {
  const { budget } = overview;
  const clients = overview.clients.filter(({ files }) => files.length > 0).map((client): Row => {
    const over = budget !== undefined && client.always > budget;
    const always = tokens(client.always, client.counted);
    const title = capitalised(client.title);
    return { id: client.client, label: title, description: load(always, budget, over), tooltip: l10n.t('{0} loads {1} before it does anything.', title, always), state: over ? 'warning' : 'group', rows: kinds(client) };
  });
  const programs = overview.programs.map(({ path, name }): Row => ({ id: `program:${path}`, label: name, description: path, tooltip: path, state: 'program', path, kind: 'program', rows: [] }));
  const group: Row = { id: 'programs', label: l10n.t('Programs'), description: number(programs.length), tooltip: l10n.t('markdownlang programs'), state: 'group', rows: programs };
  return programs.length > 0 ? [...clients, group] : clients;
}

/** All files of the view without duplicates, for a search. */
export function files(all: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  const walk = (row: Row): void => {
    if (row.path !== undefined && !found.has(row.path)) {
      found.set(row.path, row);
    }
    row.rows.forEach(walk);
  };
  all.forEach(walk);
  return [...found.values()];
}
