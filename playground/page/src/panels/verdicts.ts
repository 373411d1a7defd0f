import type { Place, Verdict } from '../answers';
import { button } from '../editor';
import { make, quoted } from '../element';
import { Panel } from './panel';

const WORDS = { loaded: 'Loaded', partly: 'Loaded in part', 'not-loaded': 'Not loaded', 'does-not-start': 'Does not start' } as const;
const SIGNS = { loaded: '✓', partly: '◐', 'not-loaded': '✕', 'does-not-start': '✕' } as const;

/** What each client does with an agent file. */
export class Verdicts {
  readonly #panel: Panel;
  readonly #go: (place: Place) => void;

  constructor(parent: HTMLElement, go: (place: Place) => void) {
    this.#panel = new Panel(parent, 'verdicts', 'What clients do with it');
    this.#go = go;
  }

  show(verdicts: Verdict[]): void {
    if (verdicts.length === 0) {
      this.#panel.hide();
      return;
    }
    const rows = verdicts.map(({ title, outcome, reasons, at }) => {
      const sign = make('span', 'sign', SIGNS[outcome]);
      sign.setAttribute('aria-hidden', 'true');
      const why = reasons.map((reason) => make('p', '', ...quoted(reason)));
      const place = at ? [button(`Line ${at[0] + 1}`, () => this.#go(at), 'place')] : [];
      const name = make('th', '', title);
      name.scope = 'row';
      return make('tr', outcome, name, make('td', 'outcome', sign, ` ${WORDS[outcome]}`), make('td', '', ...why, ...place));
    });
    const head = make('tr', '', ...['Client', 'Verdict', 'Why'].map((word) => Object.assign(make('th', '', word), { scope: 'col' })));
    this.#panel.show(make('table', '', make('thead', '', head), make('tbody', '', ...rows)));
  }
}
