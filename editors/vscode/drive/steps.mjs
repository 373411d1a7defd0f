// What is driven, in order. Each step starts with no file open and the files as the steps before left them on disk.
import assert from 'node:assert/strict';

const TRIAGE = 'programs/triage.md';

export const steps = {
  async status(workbench) {
    await workbench.open('guide.md');
    await workbench.shows('.statusbar-item', 'agentmd 0.');
    return (await workbench.texts('.statusbar-item')).find((text) => text.startsWith('agentmd'));
  },

  async diagnostics(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'nmae', 1);
    const count = await workbench.squiggles();
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'nmae');
    await workbench.picture('diagnostics');
    return `${count} underlined`;
  },

  async quickFix(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'nmae', 1);
    await workbench.squiggles();
    await workbench.press('Control+.');
    await workbench.page.waitForSelector('.action-widget .monaco-list-row.action');
    const menu = await workbench.texts('.action-widget .monaco-list-row.action');
    await workbench.press('Enter');
    await workbench.shows('.view-lines', '.customer.name }}');
    await workbench.save();
    await workbench.until(() => workbench.read(TRIAGE).includes('Dear {{ .customer.name }}'));
    return menu.join(' | ');
  },

  async hover(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, '{{ .customer', 5);
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'customer');
    await workbench.picture('hover');
    return (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' | ').slice(0, 200);
  },

  async completion(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'for each of them.');
    await workbench.page.keyboard.type(' Write to {{ .customer.contact.', { delay: 40 });
    await workbench.page.waitForSelector('.suggest-widget.visible .monaco-list-row');
    const items = await workbench.texts('.suggest-widget.visible .monaco-list-row .label-name');
    assert.deepEqual(items.sort(), ['email', 'phone']);
    await workbench.picture('completion');
    await workbench.press('Enter');
    await workbench.shows('.view-lines', '.customer.contact.email');
    return items.join(', ');
  },

  async renameFile(workbench) {
    await workbench.open('programs/classify.md');
    await workbench.again(async () => {
      await workbench.command('File: Reveal Active File in Explorer View');
      await workbench.pause(300);
      await workbench.press('F2');
      await workbench.page.waitForSelector('.explorer-item .monaco-inputbox input', { timeout: 3000 });
    });
    await workbench.press('Control+A');
    await workbench.page.keyboard.type('judge.md');
    await workbench.press('Enter');
    await workbench.shows('.monaco-dialog-box', 'agentmd');
    const asked = (await workbench.texts('.monaco-dialog-box .dialog-message-text')).join(' ');
    await workbench.picture('rename');
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'OK' }).click();
    await workbench.until(() => workbench.exists('programs/judge.md') && !workbench.exists('programs/classify.md'));
    await workbench.until(() => workbench.read(TRIAGE).includes('- ./judge.md'));
    return asked;
  },

  async conflicts(workbench) {
    await workbench.open('reply.md');
    await workbench.shows('.notification-list-item-message', 'for merge conflicts');
    await workbench.shows('.codelens-decoration', 'Accept Current Change');
    await workbench.page.locator('.notification-list-item .monaco-button', { hasText: 'Switch Off' }).click();
    await workbench.page.waitForFunction(() => !document.querySelector('.view-lines').parentElement.innerText.includes('Accept Current Change'));
    assert.match(workbench.read('.vscode/settings.json'), /"merge-conflict.codeLens.enabled": false/);
  },

  async apply(workbench) {
    await workbench.open('reply.md');
    await workbench.page.waitForSelector('.codelens-decoration a');
    const lenses = await workbench.texts('.codelens-decoration a');
    await workbench.command('agentmd: Apply the Edits of This Reply');
    await workbench.quickInput('all');
    await workbench.pause(300);
    await workbench.press('Enter');
    await workbench.page.waitForSelector('.bulk-edit-panel .monaco-list-row');
    await workbench.pause(500);
    const rows = await workbench.texts('.bulk-edit-panel .monaco-list-row');
    await workbench.picture('apply');
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Apply' }).click();
    await workbench.page.waitForSelector('.bulk-edit-panel', { state: 'hidden' });
    await workbench.pause(500);
    await workbench.saveAll();
    await workbench.until(() => workbench.exists('notes.md') && workbench.read('notes.md').startsWith('# Notes'));
    assert.match(workbench.read('src/greet.py'), /def greet\(name, word="Hello"\)/);
    return [...lenses, '=>', ...rows].join(' | ');
  },

  async editBlock(workbench) {
    await workbench.open('answer.md');
    await workbench.page.waitForSelector('.codelens-decoration a');
    const lenses = await workbench.texts('.codelens-decoration a');
    await workbench.goTo('answer.md', '<<<<<<< SEARCH', 9);
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'greet("world", "Hei")');
    const shown = (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' ');
    await workbench.picture('edit-block');
    assert.match(shown, /-greet\("world"\)/);
    assert.ok(lenses.some((title) => title.startsWith('No match')), lenses.join(' | '));
    return `${lenses.join(' | ')} => ${shown.slice(0, 200)}`;
  },

  async index(workbench) {
    await workbench.open('guide.md');
    await workbench.command('agentmd: Show the Selectors of This File');
    await workbench.shows('.view-lines', 'heading:h1[0]');
  },

  async selectors(workbench) {
    await workbench.open('guide.md');
    await workbench.goTo('guide.md', 'block:list[0]`.');
    await workbench.page.keyboard.type(' Its command is ``.', { delay: 40 });
    await workbench.press('ArrowLeft', 'ArrowLeft');
    await workbench.page.keyboard.type('guide::heading:h2[1]/', { delay: 40 });
    await workbench.press('Control+Space');
    await workbench.page.waitForSelector('.suggest-widget.visible .monaco-list-row');
    const items = await workbench.texts('.suggest-widget.visible .monaco-list-row .label-name');
    assert.deepEqual(items.filter((item) => item.startsWith('block:')), ['block:paragraph', 'block:list', 'block:code']);
    await workbench.press('Escape');
    await workbench.page.keyboard.type('block:code[', { delay: 40 });
    await workbench.shows('.suggest-widget.visible .monaco-list-row', 'block:code[0]');
    await workbench.pause(500);
    if (!(await workbench.page.locator('.suggest-details').isVisible())) {
      // The keys that open the list show the text beside it where the list is open.
      await workbench.press('Control+Space');
    }
    await workbench.shows('.suggest-details', 'agentmd check');
    await workbench.picture('selectors');
    return items.join(', ');
  },

  async copySelector(workbench) {
    await workbench.open('guide.md');
    await workbench.goTo('guide.md', '1. Open a file', 4);
    await workbench.command('agentmd: Copy Selector');
    await workbench.shows('.statusbar-item', 'Copied ');
    const copied = await workbench.page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^guide::/);
    return copied;
  },

  async context(workbench) {
    await workbench.open('pack.md');
    await workbench.open('src/greet.py');
    await workbench.press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await workbench.command('agentmd: Add Selection to Context Pack');
    await workbench.open('pack.md');
    await workbench.shows('.view-lines', 'src/greet.py:1-2');
  },

  async twice(workbench) {
    await workbench.open('guide.md');
    await workbench.press('Control+Shift+O');
    await workbench.page.waitForSelector('.quick-input-list .monaco-list-row');
    await workbench.pause(500);
    const outline = await workbench.texts('.quick-input-list .monaco-list-row');
    await workbench.press('Escape', 'Control+T');
    await workbench.quickInput('Install');
    await workbench.pause(1500);
    const symbols = await workbench.texts('.quick-input-list .monaco-list-row');
    await workbench.press('Escape');
    await workbench.goTo('guide.md', '](./programs/tri', 4);
    await workbench.press('Control+Space');
    await workbench.page.waitForSelector('.suggest-widget.visible .monaco-list-row');
    await workbench.pause(500);
    const paths = await workbench.texts('.suggest-widget.visible .monaco-list-row .label-name');
    await workbench.press('Escape');
    const names = (rows) => rows.map((row) => row.replace(/^#+ /, '').replace(/guide\.md$/, ''));
    assert.equal(outline.length, 3, outline.join(' | '));
    assert.equal(names(symbols).filter((name) => name === 'Install').length, 1, symbols.join(' | '));
    assert.equal(new Set(paths).size, paths.length, paths.join(' | '));
    return [...outline, '=>', ...symbols, '=>', ...paths].join(' | ');
  },

  async crash(workbench) {
    await workbench.open('guide.md');
    await workbench.shows('.statusbar-item', 'agentmd 0.');
    process.kill(workbench.server(), 'SIGKILL');
    await workbench.shows('.notification-list-item-message', 'crashed and was started again');
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'for each of them.');
    await workbench.page.keyboard.type(' {{ .nowhere }}');
    await workbench.squiggles();
  },

  async missing(workbench) {
    const program = workbench.program;
    await workbench.open('guide.md');
    workbench.change({ 'agentmd.server.path': '/nowhere/agentmd' });
    await workbench.shows('.notification-list-item-message', '/nowhere/agentmd');
    const said = (await workbench.texts('.notification-list-item-message')).find((text) => text.includes('/nowhere'));
    workbench.change({ 'agentmd.server.path': program });
    await workbench.shows('.statusbar-item', 'agentmd 0.');
    return said;
  },

  async tooOld(workbench) {
    const program = workbench.program;
    const old = workbench.script('old', 'echo agentmd 0.0.1');
    await workbench.open('guide.md');
    workbench.change({ 'agentmd.server.path': old });
    await workbench.shows('.notification-list-item-message', 'is too old');
    const said = (await workbench.texts('.notification-list-item-message')).find((text) => text.includes('too old'));
    workbench.change({ 'agentmd.server.path': program });
    await workbench.shows('.statusbar-item', 'agentmd 0.');
    return said;
  },
};
