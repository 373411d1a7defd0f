import type { Checked, Edit, Finding, Place } from '../answers';
import { button } from '../editor';
import { make, quoted } from '../element';
import { Panel, counted } from './panel';

export interface Does {
  go(place: Place): void;
  apply(edits: Edit[]): void;
  fixAll(): void;
  explain(code: string): void;
  follow(path: string, line: number): void;
}

const WORDS = { error: 'Error', warning: 'Warning', info: 'Info', hint: 'Hint' } as const;

export function summary(findings: Finding[]): string {
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const parts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('info') + count('hint'), 'hint'],
  ] as const;
  const said = parts.filter(([number]) => number > 0).map(([number, word]) => counted(number, word));
  return said.join(', ') || 'No findings';
}

export class Findings {
  readonly #panel: Panel;
  readonly #does: Does;

  constructor(parent: HTMLElement, does: Does) {
    this.#panel = new Panel(parent, 'findings', 'Findings');
    this.#does = does;
  }

  show({ findings, more, safe }: Checked): void {
    this.#panel.title(findings.length > 0 ? `Findings (${findings.length + more})` : 'Findings');
    if (findings.length === 0) {
      this.#panel.show(make('p', 'fine', 'Nothing to report.'));
      return;
    }
    const list = make('ol', 'list', ...findings.map((finding, index) => this.#item(finding, index)));
    const content: Node[] = [list];
    if (safe > 0) {
      const all = button('Fix everything that is safe to fix', this.#does.fixAll, 'primary');
      all.dataset['name'] = 'all';
      content.unshift(make('p', 'row', all));
    }
    if (more > 0) {
      content.push(make('p', '', `${counted(more, 'more finding')} not listed.`));
    }
    this.#panel.show(...content);
  }

  #item(finding: Finding, index: number): HTMLElement {
    const { go, apply, explain, follow } = this.#does;
    const text = make('p', 'text');
    text.append(make('span', `badge ${finding.severity}`, WORDS[finding.severity]), ' ');
    text.append(...quoted(finding.message));
    const line = button(`Line ${finding.from[0] + 1}`, () => go(finding.from), 'place');
    line.dataset['name'] = `line ${index}`;
    const code = button(finding.code, () => explain(finding.code), 'code');
    code.setAttribute('aria-label', `Explain ${finding.code}`);
    const row = make('div', 'row', line, code);
    for (const fix of finding.fixes) {
      row.append(button(fix.title, () => apply(fix.edits), 'fix'));
    }
    const item = make('li', finding.severity, text, row);
    for (const { path, at, message } of finding.related) {
      const place = at && button(path ? `${path}, line ${at[0] + 1}` : `Line ${at[0] + 1}`, () => (path ? follow(path, at[0]) : go(at)), 'place');
      item.append(make('p', 'related', ...quoted(`${message} `), ...(place ? [place] : [])));
    }
    return item;
  }
}
