import * as l10n from '@vscode/l10n';
import { number } from './translation';

/** The effect of an edit on a file. */
export interface Change {
  readonly name: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

const MOST_NAMED = 3;

function effect({ name, kind }: Change): string {
  switch (kind) {
    case 'created':
      return l10n.t('created {0}', name);
    case 'changed':
      return l10n.t('changed {0}', name);
    case 'deleted':
      return l10n.t('deleted {0}', name);
  }
}

/** `Applied: created notes.md, changed src/greet.py` */
export function summary(changes: readonly Change[]): string {
  const named = changes.slice(0, MOST_NAMED).map(effect).join(', ');
  const more = changes.length - MOST_NAMED;
  return more > 0 ? l10n.t('Applied: {0}, and {1} more', named, number(more)) : l10n.t('Applied: {0}', named);
}
