/** The page: files, editor, and what agentmd says about them. */

import { Analyst, count } from './analyst';
import type { Action, Answers, Checked, Choices, Client } from './answers';
import * as dialog from './dialog';
import { Editor, button } from './editor';
import { element, make, quoted } from './element';
import { Tabs } from './files';
import { diff, render } from './markdown';
import { Findings, summary } from './panels/findings';
import { Offers } from './panels/offers';
import { counted } from './panels/panel';
import { Prompt } from './panels/prompt';
import { Verdicts } from './panels/verdicts';
import { load } from './runner';
import { LONGEST_LINK, decode, encode, ofExample, refusal, type Example, type Workspace } from './workspace';

declare const EXAMPLES: Example[];

/** After the last key, before agentmd is asked. */
const PAUSE = 120;

const said = element('said', HTMLElement);
const status = element('status', HTMLElement);
const notice = element('notice', HTMLElement);
const panels = element('panels', HTMLElement);
const examples = element('example', HTMLSelectElement);

let workspace: Workspace = { files: new Map(), active: '', clients: [] };
let analyst: Analyst | undefined;
let clients: Client[] = [];
/** Whether the reader changed anything since the workspace was loaded. */
let own = false;
/** Whether the address holds what the reader changed. */
let kept = true;
/** What agentmd has to be told before it's asked. */
let unsent: Promise<unknown> = Promise.resolve();
let dirty = false;
let pause: ReturnType<typeof setTimeout> | undefined;
let round = 0;
let last: Checked | undefined;

function announce(message: string): void {
  said.textContent = message;
}

function warn(message: string): void {
  notice.replaceChildren(...quoted(message));
  notice.hidden = message === '';
}

function problem(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function ready(): Analyst {
  if (!analyst) {
    throw new Error('agentmd is not loaded yet');
  }
  return analyst;
}

/** Asks agentmd about the file that is shown, as it is now. */
async function ask<Name extends keyof Answers>(name: Name, question: object = {}): Promise<Answers[Name]> {
  await flush();
  return ready().ask(name, { path: workspace.active, ...question });
}

/** The files are the reader's own from now on. */
function touch(): void {
  own = true;
  kept = false;
  examples.value = '';
}

/** Hands over what was typed. */
function flush(): Promise<unknown> {
  const text = workspace.files.get(workspace.active);
  if (dirty && analyst && text !== undefined) {
    dirty = false;
    unsent = analyst.ask('change', { path: workspace.active, text }).then(({ settings }) => warn(settings ?? ''));
  }
  return unsent;
}

const editor = new Editor(element('text', HTMLElement), element('path', HTMLElement), {
  hover: (at) => ask('hover', { at }),
  complete: (at) => ask('complete', { at }),
  actions: (from, to) => ask('actions', { from, to }),
  changed(text) {
    if (workspace.files.get(workspace.active) === text) {
      return;
    }
    workspace.files.set(workspace.active, text);
    dirty = true;
    touch();
    later();
  },
  explain: (code) => void explain(code),
  follow,
  choose,
  announce,
});

const tabs = new Tabs({ choose: show, files: () => workspace.files, active: () => workspace.active, add, rename, remove });
const findings = new Findings(panels, { go: (at) => editor.go(at), apply: (edits) => editor.apply(edits), fixAll: () => void fixAll(), explain: (code) => void explain(code), follow });
const offers = new Offers(panels, (at) => editor.go(at), (title, choices) => void review(title, choices));
const verdicts = new Verdicts(panels, (at) => editor.go(at));
const prompt = new Prompt(panels, (at) => editor.go(at), later);

function later(): void {
  clearTimeout(pause);
  pause = setTimeout(() => void check(), PAUSE);
}

/** Asks for everything that the page shows of a file. */
async function check(): Promise<void> {
  clearTimeout(pause);
  round += 1;
  const mine = round;
  const path = workspace.active;
  const typed = prompt.input(path);
  try {
    const [checked, highlights, preview] = await Promise.all([ask('check'), ask('highlights'), ask('preview', typed ? { input: typed.value } : {})]);
    if (mine !== round) {
      return;
    }
    last = checked;
    editor.colour(highlights);
    editor.underline(checked.findings);
    findings.show(checked);
    verdicts.show(checked.verdicts);
    offers.show(checked.offers);
    prompt.show(path, preview);
    describe(checked);
    document.body.dataset['checked'] = String(mine);
  } catch (error) {
    if (mine === round) {
      warn(`${problem(error)}. Your text is safe: change it and agentmd tries again.`);
      document.body.dataset['checked'] = String(mine);
    }
  }
  void remember();
}

function describe({ format, kind, findings, tokens }: Checked): void {
  const about = kind ? `${kind.replaceAll('-', ' ')} for coding agents` : (FORMATS[format] ?? format);
  const exactly = button('Count exactly', () => void countExactly());
  status.replaceChildren(make('span', '', about), make('span', '', summary(findings)), make('span', '', `about ${counted(tokens, 'token')}`), exactly);
  if (said.textContent !== summary(findings)) {
    announce(summary(findings));
  }
}

const FORMATS: Record<string, string> = {
  agent: 'agent file',
  markdownlang: 'markdownlang program',
  duckflow: 'Duckflow reply',
  llmd: 'LLMD document',
  edits: 'reply with edits',
  context: 'document with a context pack',
  plain: 'Markdown',
  settings: 'settings of agentmd',
  test: 'tests of a program',
};

/** Counts with the vocabularies that are public. */
async function countExactly(): Promise<void> {
  const replace = (...content: Node[]) => status.lastElementChild?.replaceWith(...content);
  replace(make('span', 'muted', 'counting…'));
  try {
    const { text } = editor;
    const counts = await Promise.all((await ready().ask('vocabularies')).map(async ({ name, clients }) => ({ name, clients, tokens: await count(name, text) })));
    replace(...counts.map(({ name, clients, tokens }) => make('span', '', `exactly ${tokens} for ${clients.join(' and ')} (${name})`)));
    announce(counts.map(({ name, tokens }) => `${tokens} tokens with ${name}`).join(', '));
  } catch (error) {
    replace(make('span', 'problem', problem(error)));
  }
}

/** Shows a file. */
function show(path: string): void {
  void flush();
  workspace.active = path;
  editor.show(path, workspace.files.get(path) ?? '');
  tabs.show();
  void check();
}

function follow(path: string, line: number): void {
  dialog.close();
  if (!workspace.files.has(path)) {
    announce(`${path} is not in this workspace`);
    return;
  }
  if (path !== workspace.active) {
    show(path);
  }
  editor.go([line, 0]);
}

/** Hands over a workspace and shows it. */
async function open(next: Workspace, mine: boolean): Promise<void> {
  workspace = next;
  own = mine;
  kept = true;
  dirty = false;
  editor.forget();
  prompt.forget();
  nameClients();
  await reopen();
  show(workspace.active);
}

/** Hands over all files again. */
async function reopen(): Promise<void> {
  dirty = false;
  const opened = analyst?.open();
  unsent = opened ?? Promise.resolve();
  try {
    warn((await opened)?.settings ?? '');
  } catch (error) {
    warn(problem(error));
  }
}

async function fixAll(): Promise<void> {
  const before = last?.findings.length ?? 0;
  editor.apply(await ask('fix-all'));
  await check();
  const after = last?.findings.length ?? 0;
  announce(`${counted(Math.max(0, before - after), 'finding')} fixed, ${after} left`);
}

async function explain(code: string): Promise<void> {
  try {
    const page = await ready().ask('explain', { code });
    const content = render(page.markdown, follow);
    content.querySelector('h1')?.remove();
    dialog.open(page.code, [content]);
  } catch (error) {
    warn(problem(error));
  }
}

function choose(actions: Action[]): void {
  const list = actions.map((action) =>
    button(action.title, () => {
      dialog.close();
      editor.apply(action.edits);
    }),
  );
  dialog.open('Fixes and refactorings', [make('div', 'menu', ...list)]);
}

/** Shows what some blocks change, and changes it. */
async function review(title: string, { choices, goal }: Choices): Promise<void> {
  try {
    const { changes } = await ask('plan', { choices, goal });
    if (changes.length === 0) {
      dialog.open(title, [make('p', '', 'Nothing to apply: the files are up to date.')]);
      return;
    }
    const content = changes.flatMap(({ path, exists, after, hunks, risky, doubts }) => {
      const what = after === null ? 'deleted' : exists ? 'changed' : 'created';
      const box = make('div', '');
      box.innerHTML = hunks ? diff(hunks) : '<p>It is empty.</p>';
      const warnings = [...(risky ? ['This loses text that the reply does not mention.'] : []), ...doubts.map((doubt) => `It ${doubt}.`)];
      return [make('h3', '', path, ' ', make('span', 'muted', what)), ...warnings.map((text) => make('p', 'problem', text)), box];
    });
    dialog.open(title, content, {
      label: 'Apply',
      run() {
        void applied(changes);
        return undefined;
      },
    });
  } catch (error) {
    dialog.open(title, [make('p', 'problem', ...quoted(`${problem(error)}.`))]);
  }
}

async function applied(changes: { path: string; after: string | null }[]): Promise<void> {
  for (const { path, after } of changes) {
    if (after === null) {
      workspace.files.delete(path);
      editor.forget(path);
    } else {
      workspace.files.set(path, after);
      if (path === workspace.active) {
        editor.replace(after);
      }
    }
  }
  touch();
  if (!workspace.files.has(workspace.active)) {
    workspace.active = workspace.files.keys().next().value ?? '';
  }
  await reopen();
  show(workspace.active);
  announce(`${counted(changes.length, 'file')} changed`);
}

function field(label: string, value: string): [HTMLLabelElement, HTMLInputElement] {
  const input = make('input', '');
  input.id = 'field';
  input.value = value;
  input.spellcheck = false;
  input.autocomplete = 'off';
  const name = make('label', '', label);
  name.htmlFor = 'field';
  return [name, input];
}

function add(): void {
  const [label, input] = field('Path', '');
  input.placeholder = '.claude/skills/my-skill/SKILL.md';
  const hint = make('p', 'muted', 'The path decides what kind of file it is, and which clients read it.');
  dialog.open('New file', [label, input, hint], {
    label: 'Create',
    run() {
      const path = input.value.trim();
      const refused = refusal(path, workspace.files);
      if (refused === undefined) {
        workspace.files.set(path, '');
        touch();
        void reopen().then(() => {
          show(path);
          editor.view.focus();
        });
      }
      return refused;
    },
  });
}

function rename(): void {
  const old = workspace.active;
  const [label, input] = field('Path', old);
  dialog.open('Rename the file', [label, input], {
    label: 'Rename',
    run() {
      const path = input.value.trim();
      if (path === old) {
        return undefined;
      }
      const others = new Map(workspace.files);
      others.delete(old);
      const refused = refusal(path, others);
      if (refused === undefined) {
        workspace.files = new Map([...workspace.files].map(([name, text]) => [name === old ? path : name, text]));
        editor.forget(old);
        touch();
        workspace.active = path;
        void reopen().then(() => show(path));
      }
      return refused;
    },
  });
}

function remove(): void {
  if (workspace.files.size < 2) {
    announce('The last file stays');
    return;
  }
  const path = workspace.active;
  dialog.open(`Delete ${path}?`, [make('p', '', 'It can’t be brought back.')], {
    label: 'Delete',
    run() {
      workspace.files.delete(path);
      editor.forget(path);
      touch();
      workspace.active = workspace.files.keys().next().value ?? '';
      void reopen().then(() => show(workspace.active));
      return undefined;
    },
  });
}

function nameClients(): void {
  const names = workspace.clients.map((name) => clients.find((client) => client.name === name)?.title ?? name);
  const few = names.length > 2 ? `${names.length} chosen` : names.join(', ');
  element('clients', HTMLButtonElement).textContent = `Clients: ${few || 'automatic'}`;
}

function chooseClients(): void {
  const boxes = clients.map(({ name, title }) => {
    const box = make('input', '');
    box.type = 'checkbox';
    box.value = name;
    box.checked = workspace.clients.includes(name);
    return { box, label: make('label', 'choice', box, ` ${title}`) };
  });
  const hint = make('p', 'muted', 'Agent files are judged for these. With none chosen, they are judged for the clients whose folders and files are in the workspace.');
  const none = button('Choose none', () => boxes.forEach(({ box }) => (box.checked = false)));
  const group = make('fieldset', 'choices', Object.assign(make('legend', 'hidden', 'Clients')), ...boxes.map(({ label }) => label));
  dialog.open('Clients', [hint, group, make('p', 'row', none)], {
    label: 'Use',
    run() {
      workspace.clients = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
      touch();
      nameClients();
      void reopen().then(check);
      return undefined;
    },
  });
}

/** The link of the workspace as it is now. */
async function link(): Promise<string> {
  const known = EXAMPLES.find(({ id }) => id === examples.value);
  const fragment = !own && known ? `example=${known.id}` : `code=${await encode(workspace)}`;
  return `${location.href.split('#')[0]}#${fragment}`;
}

/** Keeps the address up to date, so that a reload loses nothing. */
async function remember(): Promise<void> {
  const url = await link();
  if (url.length <= LONGEST_LINK) {
    kept = true;
    if (url !== location.href) {
      history.replaceState(null, '', url);
    }
  }
}

async function share(): Promise<void> {
  const url = await link();
  const long = url.length > LONGEST_LINK ? ' It is very long, and some programs cut such links.' : '';
  try {
    await navigator.clipboard.writeText(url);
    announce(`The link is copied.${long}`);
    const press = element('share', HTMLButtonElement);
    press.textContent = 'Copied';
    setTimeout(() => (press.textContent = 'Copy link'), 1500);
    if (long) {
      warn(`The link is copied.${long}`);
    }
  } catch {
    const [label, input] = field('Copy this link', url);
    input.readOnly = true;
    dialog.open('Link', [label, input, make('p', 'muted', `It contains all files.${long}`)]);
    input.select();
  }
}

const LINK = /^#(example|code)=(.*)$/;

/** What the address asks for. */
async function start(): Promise<void> {
  const [, name, value = ''] = LINK.exec(location.hash) ?? [];
  const first = EXAMPLES[0];
  if (!first) {
    return;
  }
  if (name === 'code') {
    try {
      const shared = await decode(value);
      examples.value = '';
      await open(shared, true);
      return;
    } catch (error) {
      await open(ofExample(first), false);
      warn(`This link can’t be read: ${problem(error)}. Here is an example instead.`);
      return;
    }
  }
  const example = EXAMPLES.find(({ id }) => id === value) ?? first;
  examples.value = example.id;
  await open(ofExample(example), false);
}

function theme(): void {
  const select = element('theme', HTMLSelectElement);
  const use = () => {
    document.documentElement.dataset['theme'] = select.value;
  };
  try {
    select.value = localStorage.getItem('theme') ?? '';
  } catch {
    // A page from a local folder may have no storage.
  }
  use();
  select.addEventListener('change', () => {
    use();
    try {
      localStorage.setItem('theme', select.value);
    } catch {
      // It holds until the page is closed.
    }
  });
}

function listen(): void {
  if (navigator.platform.startsWith('Mac')) {
    for (const key of document.querySelectorAll('.keys kbd')) {
      key.textContent = key.textContent?.replace(/^Ctrl (?!Space)/, '⌘ ') ?? '';
    }
  }
  examples.replaceChildren(...EXAMPLES.map(({ id, title }) => new Option(title, id)), Object.assign(new Option('Your own files', ''), { hidden: true }));
  examples.addEventListener('change', () => {
    location.hash = `example=${examples.value}`;
  });
  element('clients', HTMLButtonElement).addEventListener('click', chooseClients);
  element('share', HTMLButtonElement).addEventListener('click', () => void share());
  addEventListener('hashchange', () => {
    if (LINK.test(location.hash)) {
      void start();
    }
  });
  addEventListener('beforeunload', (event) => {
    if (own && !kept) {
      event.preventDefault();
    }
  });
}

theme();
listen();
try {
  analyst = new Analyst(await load('agentmd'), () => workspace);
  clients = await analyst.ask('clients');
  element('loading', HTMLElement).remove();
  await start();
} catch (error) {
  element('loading', HTMLElement).textContent = `agentmd can’t start: ${problem(error)}`;
}

