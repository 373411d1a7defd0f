/** What `agentmd.cost` answers. */
export interface Costs {
  clients: Cost[];
  budget?: number;
}

export interface Cost {
  client: string;
  always: number;
  matched: number;
  on_demand: number;
  files: { path: string; kind: string; when: When; tokens: number; counted: string; listing?: boolean }[];
}

export type When = 'always' | 'match' | 'demand';

/** A row of the view: a client, a time at which it loads files, or a file. */
export interface Row {
  label: string;
  description: string;
  /** From the folder of the workspace. */
  path?: string;
  warns?: boolean;
  rows: Row[];
}

const TIMES: [When, string][] = [
  ['always', 'Always loaded'],
  ['match', 'When a file matches'],
  ['demand', 'On demand'],
];

/** `~1,240 tokens`; without `~` if they are counted with a vocabulary. */
export function tokens(count: number, counted: string): string {
  return `${counted === 'bytes/4' ? '~' : ''}${count.toLocaleString('en-US')} tokens`;
}

/** The rows of the view: the clients with what they load, the costliest files first. */
export function rows(costs: Costs): Row[] {
  return costs.clients.map((cost) => {
    const counted = cost.files[0]?.counted ?? 'bytes/4';
    const over = costs.budget !== undefined && cost.always > costs.budget;
    const times = TIMES.map(([when, label]): Row => {
      const files = cost.files.filter((file) => file.when === when).sort((a, b) => b.tokens - a.tokens);
      const sum = files.reduce((sum, file) => sum + file.tokens, 0);
      return {
        label,
        description: tokens(sum, counted),
        rows: files.map((file) => ({
          label: file.path,
          description: `${tokens(file.tokens, file.counted)} · ${file.listing === true ? `${file.kind}, its line in a list` : file.kind}`,
          path: file.path,
          rows: [],
        })),
      };
    });
    const always = `always ${tokens(cost.always, counted)}`;
    return {
      label: cost.client,
      description: over ? `${always}, over the budget of ${(costs.budget ?? 0).toLocaleString('en-US')}` : always,
      warns: over,
      rows: times.filter((time) => time.rows.length > 0),
    };
  });
}
