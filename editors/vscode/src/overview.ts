/** What `agentmd.overview` answers. */
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
  /** What `agentmd new` can write for it. */
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
  /** The same for the same thing after a change. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly state: 'group' | 'loaded' | 'partly' | 'failing' | 'program' | 'warning';
  /** From the folder of the workspace. */
  readonly path?: string;
  readonly kind?: string;
  readonly rows: readonly Row[];
}

/** `~1,240 tokens`; without `~` if they are counted with a vocabulary. */
export function tokens(count: number, counted: string): string {
  return `${counted === 'bytes/4' ? '~' : ''}${count.toLocaleString('en-US')} ${count === 1 ? 'token' : 'tokens'}`;
}

const HEADINGS: Readonly<Record<string, string>> = { memory: 'Memory files', skill: 'Skills', agent: 'Agents', command: 'Commands', prompt: 'Prompts', rule: 'Rules', instructions: 'Instructions', workflow: 'Workflows' };
const ORDER = Object.keys(HEADINGS);

function capitalised(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

function heading(kind: string): string {
  return HEADINGS[kind] ?? capitalised(kind.replaceAll('-', ' '));
}

const OUTCOMES: Readonly<Record<AgentFile['outcome'], string>> = { loaded: 'loaded', partly: 'loaded in part', 'not-loaded': 'not loaded', 'does-not-start': 'does not start' };

/** What a file costs, and when: `~12 always, ~340 on demand`. */
function cost(file: AgentFile, counted: string): string {
  const parts: [number, string][] = [[file.always, 'always'], [file.matched, 'when files match'], [file.on_demand, 'on demand']];
  return parts.flatMap(([count, when]) => (count > 0 ? [`${tokens(count, counted).split(' ')[0]} ${when}`] : [])).join(', ');
}

function row(client: ClientFiles, file: AgentFile): Row {
  const costs = cost(file, client.counted);
  const reasons = (file.reasons ?? []).map((reason) => reason.replaceAll('`', '')).join('; ');
  const outcome = OUTCOMES[file.outcome];
  const state = file.outcome === 'loaded' ? 'loaded' : file.outcome === 'partly' ? 'partly' : 'failing';
  return {
    id: `${client.client}:${file.path}`,
    label: file.name,
    description: [file.outcome === 'loaded' ? undefined : outcome, costs].filter(Boolean).join(' · '),
    tooltip: [file.path, `${client.title}: ${outcome}${reasons ? ` (${reasons})` : ''}`, costs && `Tokens: ${costs}`].filter(Boolean).join('\n'),
    state,
    path: file.path,
    kind: file.kind,
    rows: [],
  };
}

/** `3 files, 1 not loaded` */
function count(files: readonly AgentFile[]): string {
  const failing = files.filter(({ outcome }) => outcome === 'not-loaded' || outcome === 'does-not-start').length;
  return `${files.length}${failing > 0 ? `, ${failing} not loaded` : ''}`;
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

/** The rows of the view: clients that have files, with these by kind, and programs. */
export function rows(overview: Overview): Row[] {
  const { budget } = overview;
  const clients = overview.clients.filter(({ files }) => files.length > 0).map((client): Row => {
    const over = budget !== undefined && client.always > budget;
    const always = `${tokens(client.always, client.counted)} always`;
    const description = budget === undefined ? always : `${always}${over ? ', over the budget of' : ' of'} ${budget.toLocaleString('en-US')}`;
    const title = capitalised(client.title);
    return { id: client.client, label: title, description, tooltip: `${title} loads ${tokens(client.always, client.counted)} before it does anything.`, state: over ? 'warning' : 'group', rows: kinds(client) };
  });
  const programs = overview.programs.map(({ path, name }): Row => ({ id: `program:${path}`, label: name, description: path, tooltip: path, state: 'program', path, kind: 'program', rows: [] }));
  const group: Row = { id: 'programs', label: 'Programs', description: String(programs.length), tooltip: 'markdownlang programs', state: 'group', rows: programs };
  return programs.length > 0 ? [...clients, group] : clients;
}

/** All files of the view once, for a search. */
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
