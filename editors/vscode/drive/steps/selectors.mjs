// Selectors: written, copied, listed.
import assert from 'node:assert/strict';

export const selectors = {
  async index(workbench) {
    await workbench.open('guide.md');
    await workbench.command('agentmd: Show the Selectors of This File');
    await workbench.shows('.view-lines', 'heading:h1[0]');
  },

  async selectors(workbench) {
    await workbench.open('guide.md');
    await workbench.goTo('guide.md', 'block:list[0]`.');
    await workbench.page.keyboard.type(' Run ``.', { delay: 40 });
    await workbench.press('ArrowLeft', 'ArrowLeft');
    await workbench.page.keyboard.type('guide::heading:h2[1]/', { delay: 40 });
    await workbench.press('Control+Space');
    await workbench.page.waitForSelector('.suggest-widget.visible .monaco-list-row');
    const items = await workbench.texts('.suggest-widget.visible .monaco-list-row .label-name');
    assert.deepEqual(items.filter((item) => item.startsWith('block:')), ['block:paragraph', 'block:list', 'block:code']);
    await workbench.press('Escape');
    await workbench.page.keyboard.type('block:code[', { delay: 40 });
    await workbench.shows('.suggest-widget.visible .monaco-list-row', 'block:code[0]');
    await workbench.details('agentmd check');
    await workbench.picture('selectors', '.suggest-widget.visible', '.suggest-details');
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
};
