// Running programs: their cases in the Testing view and as diagnostics, and the last run shown again.
import assert from 'node:assert/strict';
import path from 'node:path';
import { agree, run } from '../provider.mjs';

const FILES = {
  'tests/count.md': '---\nname: count\ndescription: Counts the words of a text\ninput: { type: object, properties: { text: { type: string } }, required: [text] }\noutput: { type: object, properties: { n: { type: integer } }, required: [n] }\nsample: { text: one two }\n---\n\nCount the words of {{ .text }}\n',
  'tests/count.test.yaml': 'cases:\n  - name: two words\n    input: { text: one two }\n    expect: { equals: { n: 2 } }\n  - name: no words\n    input: { text: "" }\n    expect: { equals: { n: 0 } }\n',
};

function folder(workbench) {
  return path.join(workbench.scratch, 'tests');
}

export const testing = {
  async testLens(workbench) {
    workbench.write(FILES);
    await agree(workbench.program, workbench.environment);
    const recorded = await run(workbench.program, ['test', '.', '--live'], { cwd: folder(workbench), env: workbench.environment });
    assert.match(recorded.printed, /1 passed, 1 failed/);
    await workbench.visit(folder(workbench));
    await workbench.hideSideBar();
    await workbench.open('count.test.yaml');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Test' }).first().click();
    await workbench.squiggles();
    await workbench.shows('.statusbar-item', '1 passed, 1 failed');
    return (await workbench.texts('.codelens-decoration a')).join(' | ');
  },

  async testingView(workbench) {
    await workbench.size(560, 1160);
    await workbench.visit(folder(workbench));
    await workbench.open('count.test.yaml');
    await workbench.runs();
    await workbench.command('Testing: Focus on Test Explorer View');
    const tree = '.test-explorer .monaco-list-row';
    await workbench.shows(tree, 'count.test.yaml');
    await workbench.command('Test: Run All Tests');
    await workbench.shows('.statusbar-item', '1 passed, 1 failed');
    await workbench.pause(1500);
    // VS Code shows the results in the panel, or not, depending on what was open before.
    await workbench.hidePanel();
    await workbench.command('Testing: Focus on Test Explorer View');
    await workbench.page.locator(tree).first().locator('.monaco-tl-twistie').click();
    await workbench.shows(tree, 'no words');
    const rows = await workbench.texts(tree);
    const labels = await workbench.page.locator(tree).evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
    await workbench.press('Escape', 'Escape');
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.picture('testing', 520);
    assert.ok(labels.some((label) => /no words.*[Ff]ailed/.test(label)) && labels.some((label) => /two words.*[Pp]assed/.test(label)), labels.join(' | '));
    return rows.join(' | ');
  },

  /** A run asks the model once; showing it again sends no request. */
  async debugLastRun(workbench) {
    await workbench.visit(folder(workbench));
    await workbench.hideSideBar();
    await workbench.open('count.md');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Run' }).first().click();
    await workbench.until(() => workbench.provider.requests === 3);
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Debug the last run' }).click();
    await workbench.shows('.terminal-wrapper .xterm-rows', 'recorded reply 01');
    const shown = await workbench.page.locator('.terminal-wrapper .xterm-rows').allInnerTexts();
    assert.equal(workbench.provider.requests, 3, 'nothing is sent');
    await workbench.press('Control+J');
    return shown.join(' ').replace(/\s+/g, ' ').slice(0, 200);
  },
};
