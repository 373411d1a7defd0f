/** The tabs of the workspace's files: arrow keys move between them, as screen readers expect. */

import { element, make } from './element';

export interface Does {
  choose(path: string): void;
  files(): ReadonlyMap<string, string>;
  active(): string;
  add(): void;
  rename(): void;
  remove(): void;
}

export class Tabs {
  readonly #list = element('tabs', HTMLElement);
  readonly #does: Does;

  constructor(does: Does) {
    this.#does = does;
    element('add', HTMLButtonElement).addEventListener('click', does.add);
    element('rename', HTMLButtonElement).addEventListener('click', does.rename);
    element('remove', HTMLButtonElement).addEventListener('click', does.remove);
    this.#list.addEventListener('keydown', (event) => this.#move(event));
  }

  show(): void {
    const active = this.#does.active();
    const focused = this.#list.contains(document.activeElement);
    const paths = [...this.#does.files().keys()];
    const tabs = paths.map((path) => {
      const chosen = path === active;
      const parts = path.split('/');
      const name = parts.pop() ?? path;
      // The whole path of the file that is shown, and the end of the others'.
      const shown = chosen ? parts : parts.slice(-1);
      const tab = make('button', 'tab', make('span', 'folder', shown.map((part) => `${part}/`).join('')), name);
      tab.type = 'button';
      tab.title = path;
      tab.setAttribute('aria-label', path);
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-selected', String(chosen));
      tab.setAttribute('aria-controls', 'text');
      tab.tabIndex = chosen ? 0 : -1;
      tab.addEventListener('click', () => this.#does.choose(path));
      return tab;
    });
    this.#list.replaceChildren(...tabs);
    const chosen = tabs[paths.indexOf(active)];
    if (focused) {
      chosen?.focus();
    }
    chosen?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    element('remove', HTMLButtonElement).disabled = paths.length < 2;
  }

  #move(event: KeyboardEvent): void {
    const paths = [...this.#does.files().keys()];
    const at = paths.indexOf(this.#does.active());
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: paths.length - 1 }[event.key];
    const path = next === undefined ? undefined : paths[(next + paths.length) % paths.length];
    if (path !== undefined) {
      event.preventDefault();
      this.#does.choose(path);
    }
  }
}
