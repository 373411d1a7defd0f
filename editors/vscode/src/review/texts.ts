import * as vscode from 'vscode';
import type { Choice } from './decisions';

/** The scheme of the two sides of a comparison. */
export const SCHEME = 'agentmd-review';

/** The answer of `agentmd.compare`. */
export interface Comparison {
  readonly files: readonly { readonly uri: string; readonly name: string; readonly before: string | null; readonly after: string | null }[];
  readonly refused: readonly { readonly block: number; readonly message: string }[];
}

/** One side of a comparison. */
export interface Side {
  readonly side: 'before' | 'after';
  /** The reply. */
  readonly document: string;
  /** The key of one edit; without it, all accepted edits, or all that fit if none is accepted. */
  readonly key?: string;
  /** A place that is shown, but not chosen yet. */
  readonly choice?: Choice;
  /** The name of the file, if several are compared. */
  readonly name?: string;
}

export function sideUri(name: string, side: Side): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name.replace(/^\/+/, '')}`, query: JSON.stringify(side) });
}

/** The side that a document shows. */
export function sideOf(uri: vscode.Uri): Side | undefined {
  try {
    return uri.scheme === SCHEME ? (JSON.parse(uri.query) as Side) : undefined;
  } catch {
    return undefined;
  }
}

/** The sides of comparisons as read-only documents. */
export class Texts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  /** The requested comparisons, each shared by both of its sides. */
  private readonly asked = new Map<string, Promise<Comparison | string>>();

  constructor(private readonly compare: (side: Side) => Promise<Comparison | string>) {}

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  /** Requests the open comparisons again. */
  refresh(): void {
    this.asked.clear();
    vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME).forEach(({ uri }) => this.changed.fire(uri));
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const side = sideOf(uri);
    if (!side) {
      return '';
    }
    const { side: _, name, ...subject } = side;
    const key = JSON.stringify(subject);
    const known = this.asked.get(key) ?? this.compare(side);
    this.asked.set(key, known);
    const found = await known;
    if (typeof found === 'string') {
      return found;
    }
    const [refusal] = found.refused;
    const file = found.files.find((one) => name === undefined || one.name === name);
    if (!file) {
      const why = refusal ? vscode.l10n.t("This change can't be applied now: {0}.\nYour decision is kept.", refusal.message) : vscode.l10n.t('No change: the file already matches.');
      return `${why}\n`;
    }
    return (side.side === 'before' ? file.before : file.after) ?? '';
  }
}
