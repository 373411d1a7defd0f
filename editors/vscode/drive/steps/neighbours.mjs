// With VS Code's own Markdown support: nothing is shown twice, and nothing wrong is shown if that can be avoided.
import assert from 'node:assert/strict';

async function outline(workbench, file) {
  await workbench.open(file);
  await workbench.press('Control+Shift+O');
  await workbench.page.waitForSelector('.quick-input-list .monaco-list-row');
  await workbench.pause(800);
  const rows = await workbench.texts('.quick-input-list .monaco-list-row');
  await workbench.press('Escape');
  return rows;
}

export const neighbours = {
  async twice(workbench) {
    const rows = await outline(workbench, 'guide.md');
    await workbench.press('Control+T');
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
    const names = (all) => all.map((row) => row.replace(/^#+ /, '').replace(/guide\.md$/, ''));
    assert.equal(rows.length, 3, rows.join(' | '));
    assert.equal(names(symbols).filter((name) => name === 'Install').length, 1, symbols.join(' | '));
    assert.equal(symbols.filter((name) => name.includes('SEARCH') || name.includes('ACTION')).length, 0, symbols.join(' | '));
    assert.equal(new Set(paths).size, paths.length, paths.join(' | '));
    return [...rows, '=>', ...symbols, '=>', ...paths].join(' | ');
  },

  async foldsAndLinks(workbench) {
    await workbench.open('guide.md');
    await workbench.press('Control+Home');
    await workbench.pause(800);
    const folds = await workbench.page.locator('.margin-view-overlays .codicon-folding-expanded').count();
    await workbench.goTo('guide.md', '(./programs/triage', 4);
    await workbench.press('F12');
    // A single definition is opened directly; several would be listed.
    await workbench.page.waitForSelector('.tab.active:has-text("triage.md")');
    assert.equal(await workbench.page.locator('.peekview-widget').count(), 0);
    assert.equal(folds, 5, 'three headings, the list and the fence');
    return `${folds} folds`;
  },

  async outlines(workbench) {
    const answer = await outline(workbench, 'answer.md');
    const reply = await outline(workbench, 'reply.md');
    assert.ok([...answer, ...reply].every((row) => !/<<<|^#|print\(|pass/.test(row)), [...answer, ...reply].join(' | '));
    return [...answer, '=>', ...reply].join(' | ');
  },

  async menus(workbench) {
    await workbench.open('guide.md');
    const listed = async () => {
      await workbench.press('Shift+F10');
      await workbench.page.waitForSelector('.context-view .monaco-menu');
      const rows = await workbench.page.evaluate(() => [...document.querySelectorAll('.shadow-root-host')].flatMap((host) => [...(host.shadowRoot?.querySelectorAll('.action-label') ?? [])].map((label) => label.innerText)).concat([...document.querySelectorAll('.context-view .action-label')].map((label) => label.innerText)));
      await workbench.press('Escape');
      return rows.filter(Boolean);
    };
    await workbench.press('Control+Home');
    const prose = await listed();
    await workbench.open('answer.md');
    await workbench.page.waitForSelector('.codelens-decoration a');
    await workbench.pause(300);
    const reply = await listed();
    const titles = await workbench.page.locator('.editor-actions .action-label[aria-label*="Apply the Edits"]').count();
    await workbench.open('src/greet.py');
    await workbench.press('Control+Home', 'Shift+ArrowDown');
    const code = await listed();
    assert.ok(code.includes('Add Selection to Context Pack') && !code.includes('Copy Selector'), code.join(' | '));
    assert.ok(prose.includes('Copy Selector') && !prose.some((row) => row.startsWith('Apply the Edits')), prose.join(' | '));
    assert.ok(reply.some((row) => row.startsWith('Apply the Edits')), reply.join(' | '));
    assert.equal(titles, 1);
    return reply.join(' | ');
  },
};
