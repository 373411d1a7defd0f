// Answers of models: replies, edit blocks, LLMD documents and context packs, and their effect on files.
import assert from 'node:assert/strict';

const LOCK = '.vscode/settings.json';

async function applyAll(workbench) {
  await workbench.open('reply.md');
  await workbench.page.waitForSelector('.codelens-decoration a');
  const lenses = await workbench.texts('.codelens-decoration a');
  await workbench.command('agentmd: Apply the Edits of This Reply');
  await workbench.quickInput('2 changes');
  await workbench.pause(300);
  await workbench.press('Enter');
  return lenses;
}

async function previewed(workbench) {
  await workbench.page.waitForSelector('.bulk-edit-panel .monaco-list-row');
  await workbench.pause(500);
  return workbench.texts('.bulk-edit-panel .monaco-list-row');
}

export const replies = {
  async conflicts(workbench) {
    await workbench.open('reply.md');
    const said = await workbench.notification('for merge conflicts');
    await workbench.shows('.codelens-decoration', 'Accept Current Change');
    await workbench.page.locator('.notification-list-item .monaco-button', { hasText: 'Hide' }).click();
    await workbench.page.waitForFunction(() => !document.querySelector('.view-lines').parentElement.innerText.includes('Accept Current Change'));
    assert.match(workbench.read(LOCK), /"merge-conflict.codeLens.enabled": false/);
    return said;
  },

  async duckflow(workbench) {
    await workbench.open('reply.md');
    await workbench.page.waitForSelector('.codelens-decoration a');
    await workbench.goTo('reply.md', '[ACTION_0_TYPE', 4);
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'word="Hello"');
    await workbench.picture('duckflow', '.monaco-hover:not(.hidden)', '.view-lines .view-line:has-text("ACTION_1_TYPE")');
    return (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' ').slice(0, 200);
  },

  async markdownPreview(workbench) {
    await workbench.size(640, 1160);
    await workbench.open('reply.md');
    await workbench.press('Control+K', 'v');
    await workbench.shows('.tab', 'Preview reply.md');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('code', { hasText: 'def greet(name, word="Hello")' }).waitFor();
    await workbench.pause(600);
    await workbench.picture('preview', 596);
    return (await frame.locator('pre').allInnerTexts()).join(' | ').replace(/\s+/g, ' ');
  },

  async readOnly(workbench) {
    const before = workbench.read('src/greet.py');
    workbench.changeIn(`${workbench.folder}/${LOCK}`, { 'files.readonlyInclude': { 'src/**': true } });
    try {
      await workbench.pause(1000);
      await applyAll(workbench);
      const said = await workbench.notification('src/greet.py');
      await workbench.pause(500);
      assert.equal(workbench.read('src/greet.py'), before);
      assert.ok(!workbench.exists('notes.md'), 'nothing is applied in part');
      assert.equal((await workbench.texts('.notification-list-item-message')).length, 1);
      return said;
    } finally {
      workbench.changeIn(`${workbench.folder}/${LOCK}`, { 'files.readonlyInclude': null });
      await workbench.pause(500);
    }
  },

  async discard(workbench) {
    const before = workbench.read('src/greet.py');
    await applyAll(workbench);
    await previewed(workbench);
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Discard' }).click();
    await workbench.page.waitForSelector('.bulk-edit-panel', { state: 'hidden' });
    await workbench.pause(1500);
    assert.deepEqual([await workbench.texts('.notification-list-item-message'), workbench.exists('notes.md'), workbench.read('src/greet.py')], [[], false, before]);
    assert.equal(await workbench.page.locator('.bulk-edit-panel .monaco-list-row:visible').count(), 0);
  },

  /** A click on a lens shows its changes first. */
  async lensPreview(workbench) {
    const before = workbench.read('src/greet.py');
    await workbench.open('reply.md');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'src/greet.py' }).first().click();
    await previewed(workbench);
    await workbench.pause(500);
    assert.equal(workbench.read('src/greet.py'), before, 'nothing is written before the preview');
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Apply' }).click();
    const said = await workbench.notification('Applied: changed src/greet.py');
    await workbench.until(() => workbench.read('src/greet.py') !== before);
    await workbench.page.locator('.notification-list-item .monaco-button', { hasText: 'Undo' }).click();
    await workbench.until(() => workbench.read('src/greet.py') === before);
    return said;
  },

  async apply(workbench) {
    await workbench.size(700);
    const lenses = await applyAll(workbench);
    const rows = await previewed(workbench);
    await workbench.picture('apply', 656);
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
    await workbench.picture('edit-block', '.monaco-hover:not(.hidden)', '.view-lines .view-line:has-text("pass")');
    assert.match(shown, /-greet\("world"\)/);
    assert.ok(lenses.some((title) => title.startsWith('No match')), lenses.join(' | '));
    return `${lenses.join(' | ')} => ${shown.slice(0, 200)}`;
  },

  async llmd(workbench) {
    await workbench.open('garden.llmd');
    await workbench.goTo('garden.llmd', 'days > plant', 3);
    await workbench.squiggles();
    const menu = await workbench.actions();
    await workbench.pause(400);
    await workbench.picture('llmd', '.action-widget .monaco-list', '.view-lines .view-line:has-text("> CHANGELOG")');
    await workbench.press('Enter');
    await workbench.save();
    await workbench.until(() => workbench.read('garden.llmd').split('.days >= plant.every').length === 4);
    return menu.join(' | ');
  },

  async staleContext(workbench) {
    await workbench.open('pack.md');
    await workbench.squiggles();
    await workbench.goTo('pack.md', 'src/greet.py:1', 2);
    await workbench.hover();
    const shown = (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' ');
    await workbench.picture('context', '.monaco-hover:not(.hidden)', '.view-lines .view-line:has-text("(from src/greet.py:5-5)")');
    return shown;
  },

  async context(workbench) {
    await workbench.open('pack.md');
    await workbench.open('src/greet.py');
    await workbench.press('Control+Home', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await workbench.command('agentmd: Add Selection to Context Pack');
    await workbench.open('pack.md');
    await workbench.shows('.view-lines', 'f"{word} {name}"');
  },
};
