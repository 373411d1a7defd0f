import { make } from '../element';

/** A part of the right side. It keeps its place and its heading when its content changes. */
export class Panel {
  readonly #section: HTMLElement;
  readonly #heading: HTMLHeadingElement;
  readonly #body = make('div', 'body');

  constructor(parent: HTMLElement, id: string, title: string) {
    this.#heading = make('h2', '', title);
    this.#heading.id = `${id}-title`;
    this.#section = make('section', `panel ${id}`, this.#heading, this.#body);
    this.#section.setAttribute('aria-labelledby', this.#heading.id);
    this.#section.hidden = true;
    parent.append(this.#section);
  }

  get body(): HTMLElement {
    return this.#body;
  }

  title(text: string): void {
    this.#heading.textContent = text;
  }

  /** Shows new content. The focus stays where it was: on the element with the same name. */
  show(...content: Node[]): void {
    const focused = this.#body.contains(document.activeElement) ? document.activeElement : null;
    const name = focused?.getAttribute('data-name');
    this.#body.replaceChildren(...content);
    this.#section.hidden = false;
    if (name) {
      const same = [...this.#body.querySelectorAll<HTMLElement>('[data-name]')].find((other) => other.dataset['name'] === name);
      same?.focus();
    }
  }

  /** Shows what is in it already. */
  reveal(): void {
    this.#section.hidden = false;
  }

  hide(): void {
    this.#section.hidden = true;
  }
}

/** `1 error`, `2 errors`. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}
