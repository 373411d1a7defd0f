// Other kinds of folders: without Markdown, untrusted, virtual, or with another extension.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const PROGRAM = '---\nname: flow\ndescription: Sorts the tickets of a day\ninput:\n  type: object\n  properties:\n    team: { type: string }\n  required: [team]\noutput:\n  type: object\n  properties:\n    urgent: { type: string }\n  required: [urgent]\n---\n\nFor {{ .taem }}.\n';

export const workspaces = {
  async withoutMarkdown(workbench) {
    workbench.write({ 'plain/main.py': 'print("hello")\n', 'plain/agentmd.toml': '', 'plain/package.json': '{}\n' });
    await workbench.visit(path.join(workbench.scratch, 'plain'));
    await workbench.open('package.json');
    await workbench.open('main.py');
    await workbench.pause(3000);
    assert.ok((await workbench.texts('.statusbar-item')).every((item) => !item.includes('agentmd')));
    assert.throws(() => workbench.server());
  },

  /** A manifest by itself starts the server, too. */
  async manifest(workbench) {
    workbench.write({ 'plugin/.claude-plugin/plugin.json': '{ "name": "tea", "version": "1.0.0", "commands": "./nowhere" }\n' });
    await workbench.visit(path.join(workbench.scratch, 'plugin'));
    await workbench.open('plugin.json');
    assert.equal(await workbench.squiggles(), 1);
    await workbench.goTo(path.join('..', 'plugin/.claude-plugin/plugin.json'), './nowhere', 4);
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'does not exist');
    return (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' ');
  },

  async untrusted(workbench) {
    const proof = path.join(workbench.scratch, 'was-run');
    workbench.write({
      'stranger/node_modules/.bin/agentmd': `#!/bin/sh\ntouch ${proof}\necho agentmd 0.0.1\n`,
      'stranger/evil': `#!/bin/sh\ntouch ${proof}\necho agentmd 0.0.1\n`,
      'stranger/.vscode/settings.json': JSON.stringify({ 'agentmd.server.path': './evil' }),
      'stranger/flow.md': PROGRAM,
    });
    workbench.changeIn(workbench.settings.user, { 'security.workspace.trust.enabled': true });
    await workbench.visit(path.join(workbench.scratch, 'stranger'));
    await workbench.open('flow.md');
    await workbench.shows('.statusbar-item', 'Restricted Mode');
    await workbench.runs();
    await workbench.squiggles();
    assert.ok(!fs.existsSync(proof), 'no program from the folder is run');
    await workbench.command('Workspaces: Manage Workspace Trust');
    await workbench.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
    assert.ok(!fs.existsSync(proof), 'trust alone runs no program from the folder');
    await workbench.page.locator('.notification-list-item .monaco-button', { hasText: 'Run It' }).first().click();
    await workbench.until(() => fs.existsSync(proof));
    const said = await workbench.notification('is too old');
    workbench.changeIn(workbench.settings.user, { 'security.workspace.trust.enabled': false });
    return said;
  },

  /** The tested VS Code is remote: the window uses another URI scheme for files than the extension, which runs next to them. */
  async remote(workbench) {
    workbench.write({ 'far/flow.md': PROGRAM });
    await workbench.visit(path.join(workbench.scratch, 'far'));
    await workbench.openFromExplorer('flow.md');
    await workbench.runs();
    await workbench.squiggles();
    await workbench.command('Companion: Say Where This Runs');
    const said = await workbench.notification('remote: ');
    assert.doesNotMatch(said, /undefined/);
    assert.ok(workbench.server() > 0);
    // Commands that need the file on the server's disk are offered and find it.
    await workbench.command('agentmd: Show the Selectors of This File');
    await workbench.page.waitForSelector('.tab.active:has-text("flow.md.selectors.json")');
    await workbench.shows('.view-lines', 'flow::');
    return said;
  },

  async virtual(workbench) {
    await workbench.visit('vscode-vfs://nowhere/');
    await workbench.openFromExplorer('flow.md');
    await workbench.runs();
    const count = await workbench.squiggles();
    assert.equal(count, 1, 'the field, and nothing about unreadable files');
    await workbench.openFromExplorer('answer.md');
    await workbench.pause(2000);
    return `${count} underlined; ${(await workbench.texts('.codelens-decoration a')).join(' | ')}`;
  },

  async neighbour(workbench) {
    workbench.write({ 'shared/.companion': '', 'shared/flow.md': PROGRAM });
    await workbench.visit(path.join(workbench.scratch, 'shared'));
    await workbench.open('flow.md');
    await workbench.squiggles();
    const said = await workbench.notification('Another extension starts agentmd');
    assert.deepEqual(await workbench.buttons(), ['Show Extensions']);
    return said;
  },

  async twin(workbench) {
    workbench.write({ 'twins/.twin': '', 'twins/flow.md': PROGRAM });
    await workbench.visit(path.join(workbench.scratch, 'twins'));
    await workbench.pause(3000);
    await workbench.open('flow.md');
    await workbench.squiggles();
    const said = await workbench.notification("Two agentmd servers are running for 'flow.md'");
    assert.deepEqual(await workbench.buttons(), ['Show Extensions']);
    return said;
  },

  async walkthrough(workbench) {
    await workbench.visit(workbench.folder);
    await workbench.open('programs/triage.md');
    await workbench.squiggles();
    await workbench.command('Welcome: Open Walkthrough');
    await workbench.quickInput('Get started with agentmd');
    await workbench.pause(500);
    await workbench.press('Enter');
    await workbench.page.waitForSelector('.getting-started-step');
    const titles = await workbench.texts('.getting-started-step .step-title');
    assert.equal(titles.length, 6);
    const ticked = () => workbench.page.locator('.getting-started-step .codicon.complete:visible').evaluateAll((all) => all.map((mark) => mark.closest('.getting-started-step').querySelector('.step-title').innerText.trim()));
    for (const title of titles) {
      await workbench.page.locator('.getting-started-step .step-title', { hasText: title }).click();
      await workbench.pause(400);
      const broken = await workbench.page.evaluate(() => [...document.querySelectorAll('.getting-started-media img')].filter((image) => image.complete && image.naturalWidth === 0).length);
      assert.equal(broken, 0, title);
    }
    const shown = (await workbench.texts('.getting-started-step .step-description-container')).join(' ');
    assert.doesNotMatch(shown, /`/, 'the walkthrough shows no raw backticks');
    // The server was started and found something before the walkthrough was opened.
    await workbench.page.waitForFunction(() => document.querySelectorAll('.getting-started-step .codicon.complete').length >= 2);
    const done = await ticked();
    assert.ok(done.includes('Install agentmd') && done.includes('Find mistakes'), `ticked: ${done.join(' | ')}`);
    return `${titles.join(' | ')} => ticked: ${done.join(' | ')}`;
  },
};
