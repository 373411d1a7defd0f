import type { Place, Preview } from '../answers';
import { button } from '../editor';
import { make, quoted } from '../element';
import { Panel, counted } from './panel';

/** A program as the model reads it, with an input that can be changed. */
export class Prompt {
  readonly #panel: Panel;
  readonly #go: (place: Place) => void;
  readonly #changed: () => void;
  readonly #input = make('textarea', '');
  readonly #problem = make('p', 'problem');
  readonly #text = make('pre', 'prompt');
  readonly #problems = make('ul', 'list');
  readonly #count = make('p', 'count');
  readonly #reset: HTMLButtonElement;
  /** The input that was typed, by file; without one, the program's sample is used. */
  readonly #typed = new Map<string, string>();
  /** The last input of a file that was JSON. */
  readonly #valid = new Map<string, unknown>();
  #path = '';

  constructor(parent: HTMLElement, go: (place: Place) => void, changed: () => void) {
    this.#panel = new Panel(parent, 'rendered', 'The prompt, rendered');
    this.#go = go;
    this.#changed = changed;
    this.#input.id = 'input';
    this.#input.rows = 4;
    this.#input.spellcheck = false;
    this.#input.setAttribute('aria-describedby', 'input-problem');
    this.#problem.id = 'input-problem';
    this.#problem.setAttribute('role', 'alert');
    this.#text.tabIndex = 0;
    this.#text.setAttribute('role', 'region');
    this.#text.setAttribute('aria-label', 'The text that the model reads');
    this.#input.addEventListener('input', () => {
      this.#typed.set(this.#path, this.#input.value);
      this.#changed();
    });
    this.#reset = button('Use the sample', () => {
      this.#typed.delete(this.#path);
      this.#valid.delete(this.#path);
      this.#changed();
    });
    const label = make('label', '', 'Input (JSON)');
    label.htmlFor = 'input';
    this.#panel.body.append(make('div', 'row', label, this.#reset), this.#input, this.#problem, this.#problems, this.#text, this.#count);
  }

  forget(): void {
    this.#typed.clear();
    this.#valid.clear();
  }

  /** The typed input of a file, if any. One that isn't JSON is reported. */
  input(path: string): { value: unknown } | undefined {
    const typed = this.#typed.get(path);
    this.#problem.textContent = '';
    if (typed === undefined) {
      return undefined;
    }
    try {
      this.#valid.set(path, JSON.parse(typed));
    } catch (error) {
      this.#problem.textContent = `This isn't JSON, so the last valid input is used: ${error instanceof Error ? error.message : error}`;
    }
    return this.#valid.has(path) ? { value: this.#valid.get(path) } : undefined;
  }

  show(path: string, preview: Preview | null): void {
    if (!preview) {
      this.#panel.hide();
      return;
    }
    const own = this.#typed.has(path);
    this.#path = path;
    if (!own) {
      this.#input.value = JSON.stringify(preview.input, undefined, 2);
      this.#input.rows = Math.min(10, Math.max(3, this.#input.value.split('\n').length));
    }
    this.#reset.hidden = !own;
    this.#problems.replaceChildren(
      ...preview.problems.map(({ at, message, fails }) => {
        const badge = make('span', `badge ${fails ? 'error' : 'warning'}`, fails ? 'Error' : 'Warning');
        const place = at ? [' ', button(`Line ${at[0] + 1}`, () => this.#go(at), 'place')] : [];
        return make('li', fails ? 'error' : 'warning', badge, ' ', ...quoted(message), ...place);
      }),
    );
    this.#problems.hidden = preview.problems.length === 0;
    this.#text.textContent = preview.text ?? '';
    this.#text.hidden = preview.text === null;
    this.#count.textContent = preview.tokens === null ? 'Nothing can be rendered until the errors are fixed.' : `About ${counted(preview.tokens, 'token')}.`;
    this.#panel.reveal();
  }
}
