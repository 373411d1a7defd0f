/** What agentmd answers: see `playground/src/desk/`. Places are lines and UTF-16 columns, counted from 0. */

export type Place = [line: number, column: number];
export type Severity = 'error' | 'warning' | 'info' | 'hint';

export interface Edit {
  from: Place;
  to: Place;
  insert: string;
}

export interface Fix {
  title: string;
  safe: boolean;
  edits: Edit[];
}

export interface Finding {
  code: string;
  severity: Severity;
  message: string;
  from: Place;
  to: Place;
  fixes: Fix[];
  related: { path: string | null; at: Place | null; message: string }[];
  unnecessary: boolean;
}

export interface Verdict {
  client: string;
  title: string;
  outcome: 'loaded' | 'partly' | 'not-loaded' | 'does-not-start';
  reasons: string[];
  at: Place | null;
}

export interface Choices {
  choices: unknown[];
  goal: string;
}

export interface Offer extends Choices {
  title: string;
  at: Place;
  /** Absent: several edits together. */
  state?: 'fits' | 'likely' | 'ambiguous' | 'done' | 'refused';
  message?: string | null;
  /** The places to choose from. */
  places?: (Choices & { title: string })[];
}

export interface Checked {
  format: string;
  kind: string | null;
  findings: Finding[];
  /** The findings that aren't listed. */
  more: number;
  /** The edits of all safe fixes. */
  safe: number;
  verdicts: Verdict[];
  offers: Offer[];
  tokens: number;
}

export type Highlight = [kind: string, from: Place, to: Place];

export interface Hover {
  from: Place;
  to: Place;
  markdown: string;
}

export interface Completion {
  label: string;
  kind: string;
  detail: string | null;
  documentation: string | null;
  from: Place;
  to: Place;
  insert: string;
  snippet: string | null;
  rank: number;
  more: boolean;
}

export interface Action {
  title: string;
  edits: Edit[];
  finding: string | null;
}

export interface Preview {
  text: string | null;
  tokens: number | null;
  input: unknown;
  sample: boolean;
  problems: { at: Place | null; message: string; fails: boolean }[];
}

export interface Change {
  path: string;
  exists: boolean;
  after: string | null;
  hunks: string;
  risky: boolean;
  doubts: string[];
}

export interface Vocabulary {
  name: string;
  clients: string[];
}

export interface Client {
  name: string;
  title: string;
}

/** Each question, and what answers it. */
export interface Answers {
  open: { settings: string | null };
  change: { settings: string | null };
  check: Checked;
  highlights: Highlight[];
  hover: Hover | null;
  complete: Completion[];
  actions: Action[];
  'fix-all': Edit[];
  preview: Preview | null;
  plan: { changes: Change[] };
  vocabularies: Vocabulary[];
  explain: { code: string; markdown: string };
  clients: Client[];
}
