/** The editor: a document with agentmd's colours, findings, hover and completions. */

import { autocompletion, closeCompletion, completionKeymap, snippet, startCompletion, type Completion as Item, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { forEachDiagnostic, lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, Prec, StateEffect, StateField, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers, showTooltip, type DecorationSet, type Tooltip } from '@codemirror/view';
import type { Action, Completion, Edit, Finding, Highlight, Hover, Place } from './answers';
import { make, quoted } from './element';
import { render } from './markdown';

export interface Desk {
  hover(at: Place): Promise<Hover | null>;
  complete(at: Place): Promise<Completion[]>;
  actions(from: Place, to: Place): Promise<Action[]>;
  changed(text: string): void;
  explain(code: string): void;
  follow(path: string, line: number): void;
  /** Lets the reader choose one of several actions. */
  choose(actions: Action[]): void;
  announce(message: string): void;
}

export function offsetOf(text: Text, [line, column]: Place): number {
  const found = text.line(Math.min(line + 1, text.lines));
  return Math.min(found.from + column, found.to);
}

export function placeOf(text: Text, offset: number): Place {
  const line = text.lineAt(offset);
  return [line.number - 1, offset - line.from];
}

const setColours = StateEffect.define<Highlight[]>();
const marks = new Map<string, Decoration>();

function mark(kind: string): Decoration {
  const known = marks.get(kind) ?? Decoration.mark({ class: `tok-${kind}` });
  marks.set(kind, known);
  return known;
}

const colours = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { effects, changes, newDoc }) {
    let after = before.map(changes);
    for (const effect of effects) {
      if (effect.is(setColours)) {
        const ranges = effect.value.map(([kind, from, to]) => ({ kind, from: offsetOf(newDoc, from), to: offsetOf(newDoc, to) }));
        after = Decoration.set(ranges.filter(({ from, to }) => from < to).map(({ kind, from, to }) => mark(kind).range(from, to)), true);
      }
    }
    return after;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The hover that a key opened; it stays until the cursor moves. */
const setHover = StateEffect.define<Tooltip | null>();
const keptHover = StateField.define<Tooltip | null>({
  create: () => null,
  update(before, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(setHover)) {
        return effect.value;
      }
    }
    return transaction.docChanged || transaction.selection ? null : before;
  },
  provide: (field) => showTooltip.from(field),
});

export class Editor {
  readonly view: EditorView;
  #desk: Desk;
  #states = new Map<string, EditorState>();
  #path = '';
  #label: HTMLElement;

  constructor(parent: HTMLElement, label: HTMLElement, desk: Desk) {
    this.#desk = desk;
    this.#label = label;
    this.view = new EditorView({ parent, state: EditorState.create({}) });
  }

  #extensions(path: string): Extension {
    const desk = this.#desk;
    return [
      lineNumbers(),
      highlightActiveLineGutter(),
      lintGutter(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      EditorView.lineWrapping,
      colours,
      keptHover,
      autocompletion({ override: [(context) => this.#complete(context)], icons: false }),
      hoverTooltip((view, at) => this.#hover(view.state.doc, at), { hoverTime: 250 }),
      Prec.high(
        keymap.of([
          { key: 'Mod-.', run: () => this.#actions() },
          { key: 'Mod-k Mod-i', run: () => this.#showHover() },
          { key: 'Escape', run: (view) => this.#escape(view) },
          { key: 'F8', run: nextDiagnostic },
          { key: 'Shift-F8', run: previousDiagnostic },
        ]),
      ),
      keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': `Text of ${path}`, 'aria-describedby': 'editor-keys', spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          desk.changed(update.state.doc.toString());
        }
      }),
    ];
  }

  get path(): string {
    return this.#path;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Shows a file; its undo history is kept while others are shown. */
  show(path: string, text: string): void {
    if (this.#path) {
      this.#states.set(this.#path, this.view.state);
    }
    const known = this.#states.get(path);
    this.#path = path;
    this.#label.textContent = path;
    const state = known ?? EditorState.create({ doc: text, extensions: this.#extensions(path) });
    this.view.setState(state);
    if (known && known.doc.toString() !== text) {
      this.replace(text);
    }
  }

  /** Forgets what was known of a file, or of all. */
  forget(path?: string): void {
    if (path === undefined) {
      this.#states.clear();
      this.#path = '';
      return;
    }
    this.#states.delete(path);
    if (this.#path === path) {
      this.#path = '';
    }
  }

  /** Replaces the text; undo brings the old one back. */
  replace(text: string): void {
    const old = this.text;
    let start = 0;
    while (start < old.length && start < text.length && old[start] === text[start]) {
      start += 1;
    }
    let end = 0;
    while (end < old.length - start && end < text.length - start && old[old.length - 1 - end] === text[text.length - 1 - end]) {
      end += 1;
    }
    this.view.dispatch({ changes: { from: start, to: old.length - end, insert: text.slice(start, text.length - end) }, annotations: isolateHistory.of('full') });
  }

  apply(edits: Edit[]): void {
    const doc = this.view.state.doc;
    const changes = edits.map(({ from, to, insert }) => ({ from: offsetOf(doc, from), to: offsetOf(doc, to), insert }));
    this.view.dispatch({ changes, annotations: isolateHistory.of('full'), userEvent: 'input.fix' });
    this.view.focus();
  }

  go(place: Place): void {
    const at = offsetOf(this.view.state.doc, place);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  colour(highlights: Highlight[]): void {
    this.view.dispatch({ effects: setColours.of(highlights) });
  }

  /** Underlines findings. */
  underline(findings: Finding[]): void {
    const { doc } = this.view.state;
    const diagnostics = findings.map((finding): Diagnostic => {
      const from = offsetOf(doc, finding.from);
      const to = Math.max(offsetOf(doc, finding.to), from);
      return {
        from,
        to,
        severity: finding.severity,
        message: finding.message,
        source: finding.code,
        ...(finding.unnecessary ? { markClass: 'unnecessary' } : {}),
        renderMessage: () => this.#message(finding),
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  #message(finding: Finding): HTMLElement {
    const box = document.createElement('div');
    box.className = 'message';
    const text = document.createElement('p');
    text.append(...quoted(finding.message));
    box.append(text);
    const row = document.createElement('p');
    row.className = 'row';
    for (const fix of finding.fixes) {
      row.append(button(fix.title, () => this.apply(fix.edits), 'fix'));
    }
    row.append(button(finding.code, () => this.#desk.explain(finding.code), 'code'));
    box.append(row);
    return box;
  }

  async #hover(doc: Text, at: number): Promise<Tooltip | null> {
    const found = await this.#desk.hover(placeOf(doc, at)).catch(() => null);
    if (!found || doc !== this.view.state.doc) {
      return null;
    }
    return {
      pos: offsetOf(doc, found.from),
      end: offsetOf(doc, found.to),
      above: true,
      create: () => ({ dom: make('div', '', render(found.markdown, this.#desk.follow)) }),
    };
  }

  #showHover(): boolean {
    const { doc, selection } = this.view.state;
    void this.#hover(doc, selection.main.head).then((tooltip) => {
      if (!tooltip) {
        const here: string[] = [];
        forEachDiagnostic(this.view.state, ({ message }, from, to) => {
          if (from <= selection.main.head && selection.main.head <= to) {
            here.push(message);
          }
        });
        this.#desk.announce(here.join('. ') || 'Nothing is known about these characters');
        return;
      }
      this.view.dispatch({ effects: setHover.of({ ...tooltip, pos: selection.main.head }) });
      this.#desk.announce(this.view.dom.querySelector('.cm-tooltip .markdown')?.textContent ?? '');
    });
    return true;
  }

  #escape(view: EditorView): boolean {
    if (closeCompletion(view)) {
      return true;
    }
    if (view.state.field(keptHover)) {
      view.dispatch({ effects: setHover.of(null) });
      return true;
    }
    return false;
  }

  #actions(): boolean {
    const { doc, selection } = this.view.state;
    const { from, to } = selection.main;
    void this.#desk
      .actions(placeOf(doc, from), placeOf(doc, to))
      .then((actions) => (actions.length > 0 ? this.#desk.choose(actions) : this.#desk.announce('No fixes or refactorings here')))
      .catch((error: unknown) => this.#desk.announce(String(error)));
    return true;
  }

  async #complete(context: CompletionContext): Promise<CompletionResult | null> {
    const { doc } = context.state;
    const found = await this.#desk.complete(placeOf(doc, context.pos)).catch(() => []);
    const [first] = found;
    if (!first || context.aborted || (!context.explicit && !context.matchBefore(/[\w$./@[{:#-]/))) {
      return null;
    }
    const from = Math.min(...found.map((item) => offsetOf(doc, item.from)));
    const options = found.map((item, index): Item => {
      const start = offsetOf(doc, item.from);
      /** What is typed after the question is replaced too. */
      const rest = offsetOf(doc, item.to) - context.pos;
      const write = item.snippet ? snippet(placeholders(item.snippet)) : undefined;
      return {
        label: doc.sliceString(from, start) + item.label,
        displayLabel: item.label,
        type: item.kind,
        boost: 50 - Math.min(99, index),
        ...(item.detail ? { detail: item.detail } : {}),
        ...(item.documentation ? { info: () => render(item.documentation ?? '', this.#desk.follow) } : {}),
        apply(view, completion, _, to) {
          if (write) {
            write(view, completion, start, to + rest);
          } else {
            view.dispatch({ changes: { from: start, to: to + rest, insert: item.insert }, selection: { anchor: start + item.insert.length }, userEvent: 'input.complete' });
          }
          if (item.more) {
            startCompletion(view);
          }
        },
      };
    });
    return { from, options, filter: true };
  }
}

/** The placeholders of a snippet as CodeMirror writes them. It offers no choices, so the first is used. */
function placeholders(snippet: string): string {
  const braces = snippet.replaceAll(/\$(\d+)/g, '${$1}').replaceAll(/\$\{(\d+)\|([^,|]*)[^|]*\|\}/g, '${$1:$2}');
  return braces.replaceAll('${0}', '${}').replaceAll(/\\([$}\\])/g, '$1');
}

export function button(label: string, press: () => void, className = ''): HTMLButtonElement {
  const element = document.createElement('button');
  element.type = 'button';
  element.append(...quoted(label));
  element.className = className;
  element.addEventListener('click', press);
  return element;
}
