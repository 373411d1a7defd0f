/** The effect of an edit on a file. */
export interface Change {
  readonly name: string;
  readonly kind: 'created' | 'changed' | 'deleted';
}

const MOST_NAMED = 3;

/** `Applied: created notes.md, changed src/greet.py` */
export function summary(changes: readonly Change[]): string {
  const named = changes.slice(0, MOST_NAMED).map(({ name, kind }) => `${kind} ${name}`);
  const more = changes.length - named.length;
  return `Applied: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
