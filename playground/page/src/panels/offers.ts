import type { Choices, Offer, Place } from '../answers';
import { button } from '../editor';
import { make, quoted } from '../element';
import { Panel } from './panel';

/** What a reply would change, block by block. */
export class Offers {
  readonly #panel: Panel;
  readonly #go: (place: Place) => void;
  readonly #review: (title: string, choices: Choices) => void;

  constructor(parent: HTMLElement, go: (place: Place) => void, review: (title: string, choices: Choices) => void) {
    this.#panel = new Panel(parent, 'offers', 'Edits');
    this.#go = go;
    this.#review = review;
  }

  show(offers: Offer[]): void {
    if (offers.length === 0) {
      this.#panel.hide();
      return;
    }
    const items = offers.map((offer, index) => {
      const { title, at, choices, state, message, places } = offer;
      const line = button(`Line ${at[0] + 1}`, () => this.#go(at), 'place');
      line.dataset['name'] = `line ${index}`;
      const row = make('div', 'row', line);
      if (choices.length > 0) {
        const review = button(`${title}…`, () => this.#review(title, offer), state === undefined ? 'fix all' : 'fix');
        review.dataset['name'] = `review ${index}`;
        row.append(review);
      } else {
        row.append(make('span', 'muted', ...quoted(state === 'done' ? `${title}: applied already` : title)));
      }
      for (const place of places ?? []) {
        row.append(button(`${place.title}…`, () => this.#review(title, place), 'fix'));
      }
      const why = message && state !== 'done' ? [make('p', `why ${state}`, ...quoted(message))] : [];
      return make('li', '', row, ...why);
    });
    this.#panel.show(make('ol', 'list', ...items));
  }
}
