import * as l10n from '@vscode/l10n';

let shown = 'en';

/** Sets the translation of VS Code's display language; without one, messages are in English. */
export function translate(bundle: Record<string, string> | undefined, language: string): void {
  l10n.config({ contents: bundle ?? {} });
  shown = bundle ? language : 'en';
}

/** The language of the messages, as a language tag for HTML. */
export function language(): string {
  return shown;
}

/** A number in the language of the messages. */
export function number(value: number): string {
  return value.toLocaleString(shown);
}
