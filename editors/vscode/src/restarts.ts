import * as l10n from '@vscode/l10n';

/** What to do after the server has crashed. */
export interface Verdict {
  readonly restart: boolean;
  readonly message: string;
}

const WINDOW = 3 * 60 * 1000;
const MOST = 4;

/** Restarts a crashed server, unless it keeps crashing. */
export class Restarts {
  private crashes: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  crashed(): Verdict {
    const now = this.now();
    this.crashes = [...this.crashes.filter((at) => now - at < WINDOW), now];
    if (this.crashes.length <= MOST) {
      return { restart: true, message: l10n.t('The agentmd server crashed and was started again. Nothing in your files has changed.') };
    }
    const count = this.crashes.length;
    return { restart: false, message: l10n.t("The agentmd server crashed {0} times in three minutes and won't be restarted. The output says why.", count) };
  }

  /** Forgets the crashes, because the user asked for a restart. */
  forget(): void {
    this.crashes = [];
  }
}
