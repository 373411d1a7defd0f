// Programs and skills: findings, and help while writing them.
import assert from 'node:assert/strict';

export const TRIAGE = 'programs/triage.md';
const SKILL = '.claude/skills/release-notes/SKILL.md';

export const programs = {
  async status(workbench) {
    await workbench.open('guide.md');
    await workbench.runs();
    await workbench.page.locator('.statusbar-item', { hasText: 'agentmd 0.' }).click();
    await workbench.shows('.quick-input-title', '.cargo/bin/agentmd');
    const rows = await workbench.texts('.quick-input-list .monaco-list-row');
    assert.equal(rows.length, 5);
    return rows.join(' | ');
  },

  async languageStatus(workbench) {
    await workbench.open('guide.md');
    const item = workbench.page.locator('.statusbar-item#status\\.languageStatus, .statusbar-item[id*="languageStatus"]').first();
    // VS Code may redraw the item under the pointer, which then hovers over nothing.
    await workbench.until(async () => {
      await workbench.page.mouse.move(400, 300);
      await item.hover();
      await workbench.pause(1000);
      return (await workbench.texts('.hover-language-status')).some((text) => text.includes('agentmd 0.'));
    });
    const said = (await workbench.texts('.hover-language-status')).join(' | ');
    await workbench.page.mouse.move(400, 300);
    await workbench.page.waitForSelector('.hover-language-status', { state: 'hidden' });
    return said;
  },

  async frontMatter(workbench) {
    await workbench.open(SKILL);
    await workbench.squiggles();
    await workbench.goTo(SKILL, 'Use when:', 0);
    const menu = await workbench.actions();
    await workbench.pause(400);
    await workbench.picture('front-matter', '.action-widget .monaco-list', '.view-lines .view-line:has-text("use the program")');
    await workbench.press('Enter');
    await workbench.save();
    await workbench.until(() => workbench.read(SKILL).includes('description: "Use when: somebody asks for release notes"'));
    return menu.join(' | ');
  },

  async diagnostics(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'nmae', 1);
    const count = await workbench.squiggles();
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'nmae');
    await workbench.picture('diagnostics', '.monaco-hover:not(.hidden)', '.view-lines .view-line:has-text("for each of them")');
    return `${count} underlined`;
  },

  async problems(workbench) {
    await workbench.size(680, 1200);
    await workbench.open(TRIAGE);
    await workbench.squiggles();
    await workbench.press('Control+Shift+M');
    await workbench.page.waitForSelector('.markers-panel .monaco-list-row');
    await workbench.pause(800);
    const cut = await workbench.page.locator('.markers-panel .marker-message-line, .markers-panel .marker-message-line *').evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow === 'ellipsis').map((one) => one.innerText));
    const rows = await workbench.texts('.markers-panel .monaco-list-row');
    await workbench.picture('problems', 636);
    await workbench.press('Control+J');
    assert.deepEqual(cut, [], 'messages are short enough for the panel');
    assert.ok(rows.some((row) => row.includes('markdownlang/unknown-variable')), rows.join(' | '));
    return rows.join(' | ');
  },

  async quickFix(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'nmae', 1);
    await workbench.squiggles();
    const menu = await workbench.actions();
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
    await workbench.picture('hover', '.monaco-hover:not(.hidden)', '.view-lines .view-line:has-text("for each of them")');
    return (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' | ').slice(0, 200);
  },

  async completion(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'for each of them.');
    await workbench.page.keyboard.type('\n\nWrite to {{ .customer.contact.', { delay: 40 });
    await workbench.page.waitForSelector('.suggest-widget.visible .monaco-list-row');
    const items = await workbench.texts('.suggest-widget.visible .monaco-list-row .label-name');
    assert.deepEqual(items.sort(), ['email', 'phone']);
    await workbench.details('string');
    await workbench.picture('completion', '.suggest-widget.visible', '.suggest-details');
    await workbench.press('Enter');
    await workbench.shows('.view-lines', '.customer.contact.email');
    return items.join(', ');
  },

  /** The prompt follows the program while you type. */
  async promptPreview(workbench) {
    await workbench.open(TRIAGE);
    await workbench.command('agentmd: Preview What the Model Reads');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('#problems li', { hasText: 'input' }).first().waitFor();
    await frame.locator('#input').fill('{"team": "Berlin", "customer": {"name": "Ada"}, "tickets": ["Sign-in"]}');
    await frame.locator('#prompt', { hasText: 'Triage for Berlin' }).waitFor();
    await frame.locator('#status', { hasText: 'tokens, with your input' }).waitFor();
    await workbench.command('View: Focus First Editor Group');
    await workbench.goTo(TRIAGE, 'for each of them.');
    await workbench.page.keyboard.type(' Begin {{ .nothing }}.');
    await frame.locator('mark', { hasText: '<no value>' }).first().waitFor();
    const problems = await frame.locator('#problems li').allInnerTexts();
    assert.ok(problems.some((one) => /^Line \d+: /.test(one)), problems.join(' | '));
    return `${await frame.locator('#status').innerText()} => ${problems.join(' | ')}`;
  },

  /** The code of a finding leads to its page in the program, without a network. */
  async explain(workbench) {
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, '.customer.', 2);
    await workbench.page.keyboard.type('x');
    await workbench.squiggles();
    await workbench.actions();
    await workbench.page.locator('.action-widget .monaco-list-row.action', { hasText: 'Explain' }).click();
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('h1', { hasText: 'markdownlang/' }).waitFor();
    return frame.locator('h1').innerText();
  },

  async renameFile(workbench) {
    await workbench.size(560);
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
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Show Preview' }).click();
    await workbench.page.waitForSelector('.bulk-edit-panel .monaco-list-row');
    // The explorer shows no name during a rename.
    await workbench.hideSideBar();
    await workbench.pause(500);
    await workbench.picture('rename', 516);
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Apply' }).click();
    await workbench.until(() => workbench.exists('programs/judge.md') && !workbench.exists('programs/classify.md'));
    await workbench.until(() => workbench.read(TRIAGE).includes('- ./judge.md'));
    return asked;
  },
};
