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
      const { title, at, choices, goal, places } = offer;
      const line = button(`Line ${at[0] + 1}`, () => this.#go(at), 'place');
      line.dataset['name'] = `line ${index}`;
      const row = make('div', 'row', line);
      if (choices && goal) {
        const review = button(`${title}…`, () => this.#review(title, { choices, goal }), 'fix');
        review.dataset['name'] = `review ${index}`;
        row.append(review);
        return make('li', '', row);
      }
      for (const place of places ?? []) {
        row.append(button(`${place.title}…`, () => this.#review(place.title, place), 'fix'));
      }
      row.append(make('span', 'muted', ...quoted(title)));
      return make('li', '', row);
    });
    this.#panel.show(make('ol', 'list', ...items));
  }
}
