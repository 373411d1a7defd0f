import * as l10n from '@vscode/l10n';
import { escaped } from './html';
import { verdict } from './overview';
import { language, number } from './translation';
import { capitalised } from './wording';

const STYLE = `
body { color: var(--vscode-editor-foreground); background: var(--vscode-editor-background); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); padding: 0 1em 1em; }
h2 { font-size: 1em; margin: 1em 0 .4em; }
pre, textarea { font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: .6em; border: 1px solid var(--vscode-panel-border, var(--vscode-contrastBorder, transparent)); }
textarea { box-sizing: border-box; width: 100%; min-height: 5em; resize: vertical; color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); }
textarea:focus, button:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
textarea[aria-invalid='true'] { border-color: var(--vscode-inputValidation-errorBorder); }
button { color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); border: 1px solid var(--vscode-contrastBorder, transparent); padding: .2em .8em; cursor: pointer; }
ul { margin: 0; padding: 0; list-style: none; }
li button { all: unset; cursor: pointer; color: var(--vscode-textLink-foreground); }
li button:focus-visible { outline: 1px solid var(--vscode-focusBorder); }
mark { color: inherit; background: var(--vscode-editorWarning-background, transparent); text-decoration: underline wavy var(--vscode-editorWarning-foreground); }
.spoken { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.failed { color: var(--vscode-errorForeground); }
`;

// Everything from the document goes through `textContent`, so it's never markup.
const SCRIPT = `
const vscode = acquireVsCodeApi();
const by = (id) => document.getElementById(id);
const input = by('input');
const GAP = '<no value>';
let waiting;
input.addEventListener('input', () => {
  clearTimeout(waiting);
  waiting = setTimeout(() => vscode.postMessage({ type: 'input', text: input.value }), 200);
});
by('sample').addEventListener('click', () => vscode.postMessage({ type: 'sample' }));
function line(problem) {
  const item = document.createElement('li');
  const text = document.createElement(problem.line === undefined ? 'span' : 'button');
  text.textContent = problem.message;
  if (problem.fails) item.className = 'failed';
  if (problem.line !== undefined) text.addEventListener('click', () => vscode.postMessage({ type: 'show', line: problem.line, character: problem.character }));
  item.append(text);
  return item;
}
function marked(text) {
  const parts = text.split(GAP);
  return parts.flatMap((part, index) => {
    if (index === 0) return [part];
    const gap = document.createElement('mark');
    gap.textContent = GAP;
    return [gap, part];
  });
}
window.addEventListener('message', ({ data }) => {
  by('status').textContent = data.status;
  by('problems').replaceChildren(...data.problems.map(line));
  by('problems-title').hidden = data.problems.length === 0;
  by('clients-title').hidden = data.clients === undefined;
  by('clients').replaceChildren(...(data.clients ?? []).map(line));
  by('input-part').hidden = data.clients !== undefined;
  by('prompt-title').textContent = by('prompt-title').dataset[data.clients === undefined ? 'program' : 'file'];
  if (data.text !== undefined) by('prompt').replaceChildren(...marked(data.text));
  by('prompt').setAttribute('aria-busy', String(data.text === undefined));
  by('sample').hidden = !data.own;
  input.setAttribute('aria-invalid', String(data.invalid));
  if (data.input !== undefined && document.activeElement !== input) input.value = data.input;
});
vscode.postMessage({ type: 'ready' });
`;

/** The page of a preview. It loads nothing: the policy allows only the script and the style in it. */
export function promptPage(nonce: string): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const prompt = escaped(l10n.t('Prompt'));
  return `<!DOCTYPE html>
<html lang="${escaped(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${prompt}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1 class="spoken">${escaped(l10n.t('What the model reads'))}</h1>
<p id="status" role="status" aria-live="polite"></p>
<h2 id="problems-title" hidden>${escaped(l10n.t('Problems'))}</h2>
<ul id="problems" aria-labelledby="problems-title"></ul>
<h2 id="clients-title" hidden>${escaped(l10n.t('Clients'))}</h2>
<ul id="clients" aria-labelledby="clients-title"></ul>
<h2 id="prompt-title" data-program="${prompt}" data-file="${escaped(l10n.t('What a model reads'))}">${prompt}</h2>
<pre id="prompt" tabindex="0" aria-labelledby="prompt-title"></pre>
<section id="input-part">
<h2><label for="input">${escaped(l10n.t('Input (JSON)'))}</label></h2>
<textarea id="input" spellcheck="false"></textarea>
<p><button id="sample" type="button" hidden>${escaped(l10n.t('Use the sample'))}</button></p>
</section>
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}

/** The server's answer about a program. */
export interface Rendered {
  readonly text: string | null;
  readonly tokens: number | null;
  readonly input: unknown;
  readonly sample: boolean;
  readonly problems: readonly { readonly range: { readonly start: { readonly line: number; readonly character: number } } | null; readonly message: string; readonly fails: boolean }[];
}

/** The server's answer about an agent file. */
export interface Read {
  readonly kind: string;
  readonly clients: readonly { readonly title: string; readonly outcome: 'loaded' | 'partly' | 'not-loaded' | 'does-not-start'; readonly reasons: readonly string[]; readonly range: { readonly start: { readonly line: number; readonly character: number } } | null }[];
  readonly text: string;
  readonly tokens: number;
}

/** A line of a list, which links to its place if it has one. */
interface Item {
  readonly message: string;
  readonly fails: boolean;
  readonly line?: number;
  readonly character?: number;
}

/** The content of the page. Without a prompt, the page keeps the last one. */
export interface Shown {
  readonly status: string;
  readonly text?: string;
  readonly input?: string;
  /** Whether the input was typed, and isn't the program's sample. */
  readonly own: boolean;
  readonly invalid: boolean;
  readonly problems: readonly Item[];
  /** Each client's verdict on an agent file. */
  readonly clients?: readonly Item[];
}

const MOST_PROBLEMS = 100;

/** The first problems, and the number of others. */
function first(problems: readonly Item[]): readonly Item[] {
  const more = problems.length - MOST_PROBLEMS;
  return more <= 0 ? problems : [...problems.slice(0, MOST_PROBLEMS), { message: l10n.t('and {0} more', number(more)), fails: false }];
}

function read(answer: Read): Shown {
  const clients = answer.clients.map(({ title, outcome, reasons, range }): Item => {
    const why = reasons.length > 0 ? ` (${reasons.join('; ').replaceAll('`', '')})` : '';
    return { message: `${title}: ${verdict(outcome)}${why}`, fails: outcome === 'not-loaded' || outcome === 'does-not-start', ...(range ? range.start : {}) };
  });
  const kind = capitalised(answer.kind.replaceAll('-', ' '));
  return { status: l10n.t('{0}, about {1} tokens', kind, number(answer.tokens)), text: answer.text, own: false, invalid: false, problems: [], clients };
}

function size(tokens: string, own: boolean, sample: boolean): string {
  if (own) {
    return l10n.t('About {0} tokens, with your input', tokens);
  }
  return sample ? l10n.t('About {0} tokens, with the sample', tokens) : l10n.t('About {0} tokens, without an input: the program has no sample', tokens);
}

/** The content of the page for an answer. */
export function shown(answer: Rendered | Read | null, own: boolean): Shown {
  if (!answer) {
    return { status: l10n.t('This document is neither a markdownlang program nor an agent file.'), own, invalid: false, problems: [] };
  }
  if ('clients' in answer) {
    return read(answer);
  }
  const status = answer.text === null ? l10n.t('The template cannot be rendered; this is the last prompt.') : size(number(answer.tokens ?? 0), own, answer.sample);
  const problems = answer.problems.map(({ range, message, fails }): Item => {
    const said = message.replaceAll('`', '');
    return range ? { message: l10n.t('Line {0}: {1}', number(range.start.line + 1), said), fails, ...range.start } : { message: said, fails };
  });
  return { status, own, invalid: false, problems: first(problems), input: JSON.stringify(answer.input, undefined, 2), ...(answer.text === null ? {} : { text: answer.text }) };
}
