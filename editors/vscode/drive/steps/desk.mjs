// The author's view while writing: light bulbs only where an action helps, large files, and unsaved files.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const SKILL = '.claude/skills/notes/SKILL.md';
const FILES = {
  [`desk/${SKILL}`]: '---\nname: notes\ndescription: Use when: somebody asks for notes\n---\n\n# Notes\n\nTake $ARGUMENTS down.\n',
  'desk/programs/sort.md': '---\nname: sort\ndescription: Sorts tickets\ninput: { type: object, properties: { team: { type: string } }, required: [team] }\noutput: { type: object }\n---\n\n# Sort\n\nFor {{ .taem }} and {{ .team }}, in a sentence.\n',
  'desk/guide.md': '# Guide\n\nSee [the skill](./.claude/skills/notes/SKILL.md).\n\n- one\n- two\n\n```sh\nls\n```\n',
  'desk/answer.md': 'It was too quiet.\n\nsrc/greet.py\n<<<<<<< SEARCH\ngreet("world")\n=======\ngreet("Hei")\n>>>>>>> REPLACE\n\nsrc/greet.py\n<<<<<<< SEARCH\ngreet(nobody)\nat_all()\n=======\npass\n>>>>>>> REPLACE\n',
  'desk/pack.md': '## Context\n\n### Code (from src/greet.py:1-1)\n```python\ndef greet(nobody):\n```\n',
  'desk/src/greet.py': 'def greet(name):\n    print("Hello " + name)\n\n\ngreet("world")\n',
};

/** The file, the text at the cursor, and whether an action helps there. */
const POSITIONS = [
  [SKILL, 'name: notes', false],
  [SKILL, 'Use when', true],
  [SKILL, '# Notes', false],
  [SKILL, 'Take $', false],
  ['programs/sort.md', 'name: sort', false],
  ['programs/sort.md', 'Sorts tickets', false],
  ['programs/sort.md', 'properties', false],
  ['programs/sort.md', '# Sort', false],
  ['programs/sort.md', '.taem', true],
  ['programs/sort.md', '.team }}', false],
  ['programs/sort.md', 'in a sentence', false],
  ['guide.md', '# Guide', false],
  // VS Code's own Markdown offers to move a link to the end.
  ['guide.md', 'the skill', true],
  ['guide.md', '- one', false],
  ['guide.md', '\nls', false],
  ['answer.md', 'It was', false],
  ['answer.md', 'greet("world")', true],
  ['pack.md', 'src/greet.py', true],
];

const BULB = '.lightBulbWidget:visible, .codicon-gutter-lightbulb:visible, .codicon-gutter-lightbulb-auto-fix:visible, .codicon-light-bulb:visible, [class*="gutter-lightbulb"]:visible';

function folder(workbench) {
  return path.join(workbench.scratch, 'desk');
}

/** Opens the folder with the files above, none of them in an editor. */
async function begin(workbench, more = {}) {
  workbench.write({ ...FILES, ...more });
  await workbench.visit(folder(workbench));
  await workbench.command('View: Close All Editors');
  await workbench.hideSideBar();
}

export const desk = {
  async bulbs(workbench) {
    workbench.changeIn(workbench.settings.user, { 'editor.lightbulb.enabled': 'on' });
    try {
      await begin(workbench);
      const wrong = [];
      let last;
      let lit = 0;
      const text = (file) => FILES[`desk/${file}`];
      for (const [file, word, helps] of POSITIONS) {
        if (file !== last) {
          await workbench.open(path.basename(path.dirname(file)) === 'notes' ? SKILL : file);
          await workbench.runs();
          await workbench.pause(2000);
          last = file;
        }
        const before = text(file).slice(0, text(file).indexOf(word) + 2).split('\n');
        await workbench.press('Control+G');
        await workbench.quickInput(`${before.length}:${before.at(-1).length + 1}`);
        await workbench.pause(150);
        await workbench.press('Enter');
        const shown = workbench.page.locator(BULB).first();
        // On a busy machine, a bulb needs time to appear, and so does the previous one to disappear.
        const wait = (state) => shown.waitFor({ state, timeout: 15_000 }).then(() => true, () => false);
        await workbench.pause(1500);
        const bulb = helps ? await wait('visible') : !(await wait('hidden'));
        lit += bulb ? 1 : 0;
        if (bulb !== helps) {
          wrong.push(`${file} at \`${word}\`: ${bulb ? 'a bulb' : 'no bulb'}`);
        }
      }
      assert.equal(wrong.join('; '), '');
      return `${lit} of ${POSITIONS.length} positions have a bulb`;
    } finally {
      workbench.changeIn(workbench.settings.user, { 'editor.lightbulb.enabled': 'off' });
    }
  },

  /** In a document of 1 MB, typing works, and so do the preview and the outline. */
  async large(workbench) {
    const body = '## Part\n\nSome words, and {{ .team }}.\n\n'.repeat(26_000);
    await begin(workbench, { 'desk/large.md': `${FILES['desk/programs/sort.md']}\n${body}` });
    await workbench.open('large.md');
    await workbench.runs();
    await workbench.squiggles();
    await workbench.command('agentmd: Preview What the Model Reads');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('#status', { hasText: 'tokens' }).waitFor();
    const said = await frame.locator('#status').innerText();
    await workbench.command('View: Focus First Editor Group');
    await workbench.goTo(path.join('..', 'desk/large.md'), 'in a sentence.');
    await workbench.page.keyboard.type(' {{ .nobody }}');
    await workbench.squiggles(2);
    await workbench.command('Go to Symbol in Editor');
    await workbench.page.waitForSelector('.quick-input-list .monaco-list-row');
    return said;
  },

  /** A preview follows changes of its file on disk, survives the server, and shows nothing wrong once the file is deleted. */
  async previewFollows(workbench) {
    await begin(workbench);
    await workbench.open('sort.md');
    await workbench.runs();
    await workbench.command('agentmd: Preview What the Model Reads');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('#prompt', { hasText: 'in a sentence' }).waitFor();
    const place = path.join(folder(workbench), 'programs/sort.md');
    const text = FILES['desk/programs/sort.md'];
    fs.writeFileSync(place, text.replace('in a sentence', 'in two sentences'));
    await frame.locator('#prompt', { hasText: 'in two sentences' }).waitFor();
    process.kill(workbench.server(), 'SIGKILL');
    await workbench.notification('crashed and was started again');
    fs.writeFileSync(place, text.replace('in a sentence', 'in three sentences'));
    await frame.locator('#prompt', { hasText: 'in three sentences' }).waitFor();
    fs.rmSync(place);
    await workbench.page.waitForSelector('.tab:has-text("sort.md") .label-name[class*="strike"], .tab.deleted:has-text("sort.md"), .tab:has(.strikethrough):has-text("sort.md")', { timeout: 15_000 }).catch(() => undefined);
    await workbench.pause(1500);
    const said = `${await frame.locator('#status').innerText()} => ${await frame.locator('#prompt').innerText()}`;
    assert.match(said, /in three sentences/);
    return said;
  },

  /** Unsaved changes count: edits apply to the buffer, and nothing typed is lost. */
  async unsaved(workbench) {
    await begin(workbench);
    await workbench.open('src/greet.py');
    // The tab appears before the editor accepts keys.
    await workbench.page.waitForSelector('.monaco-editor.focused');
    await workbench.press('Control+End');
    await workbench.page.keyboard.type('# typed');
    await workbench.shows('.view-lines', '# typed');
    await workbench.open('answer.md');
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Apply 1 change to src/greet.py' }).first().click();
    await workbench.page.waitForSelector('.bulk-edit-panel .monaco-list-row');
    await workbench.pause(500);
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Apply' }).click();
    const said = await workbench.notification('Applied: changed src/greet.py');
    await workbench.open('src/greet.py');
    await workbench.shows('.view-lines', 'greet("Hei")');
    await workbench.shows('.view-lines', '# typed');
    return said;
  },

  /** The quick fix that applies a block also shows its changes first. */
  async quickFixPreview(workbench) {
    await begin(workbench);
    const place = path.join(folder(workbench), 'src/greet.py');
    const before = fs.readFileSync(place, 'utf8');
    await workbench.open('answer.md');
    await workbench.page.waitForSelector('.codelens-decoration a');
    await workbench.goTo(path.join('..', 'desk/answer.md'), 'greet("world")', 2);
    const menu = await workbench.actions();
    await workbench.page.locator('.action-widget .monaco-list-row.action', { hasText: 'Apply 1 change to src/greet.py' }).first().click();
    await workbench.page.waitForSelector('.bulk-edit-panel .monaco-list-row');
    await workbench.pause(500);
    assert.equal(fs.readFileSync(place, 'utf8'), before, 'nothing is written before the preview');
    await workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Discard' }).click();
    await workbench.page.waitForSelector('.bulk-edit-panel', { state: 'hidden' });
    assert.equal(fs.readFileSync(place, 'utf8'), before);
    return menu.join(' | ');
  },

  /** The typed input of a program is kept until its preview is opened again, and the sample can be restored. */
  async previewRemembers(workbench) {
    await begin(workbench);
    await workbench.open('sort.md');
    await workbench.runs();
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    const open = async () => {
      await workbench.command('agentmd: Preview What the Model Reads');
      await frame.locator('#status', { hasText: 'tokens' }).waitFor();
    };
    await open();
    await frame.locator('#input').fill('{"team": "Oslo"}');
    await frame.locator('#prompt', { hasText: 'and Oslo' }).waitFor();
    await workbench.command('View: Close All Editors');
    await workbench.page.reload({ waitUntil: 'commit' });
    await workbench.page.waitForSelector('.part.statusbar .statusbar-item');
    await workbench.open('sort.md');
    await workbench.runs();
    await open();
    await frame.locator('#prompt', { hasText: 'and Oslo' }).waitFor();
    await frame.locator('#sample').click();
    await frame.locator('#status', { hasText: 'the program has no sample' }).waitFor();
    return frame.locator('#status').innerText();
  },

  /** A finding is disabled for the workspace: the settings file is written after a preview, and the finding is gone. */
  async disable(workbench) {
    await begin(workbench);
    await workbench.open('sort.md');
    await workbench.squiggles();
    await workbench.goTo(path.join('..', 'desk/programs/sort.md'), '.taem', 2);
    await workbench.actions();
    await workbench.page.locator('.action-widget .monaco-list-row.action', { hasText: 'in the workspace' }).click();
    await workbench.page.waitForFunction(() => document.querySelectorAll('.squiggly-error, .squiggly-warning').length === 0 || document.querySelector('.bulk-edit-panel .monaco-list-row'));
    const apply = workbench.page.locator('.bulk-edit-panel .monaco-button', { hasText: 'Apply' });
    if (await apply.isVisible()) {
      await apply.click();
    }
    const settings = path.join(folder(workbench), 'agentmd.toml');
    await workbench.until(() => fs.existsSync(settings) && fs.readFileSync(settings, 'utf8').includes('markdownlang/unknown-variable'));
    await workbench.page.waitForFunction(() => document.querySelectorAll('.squiggly-error, .squiggly-warning').length === 0);
    const text = fs.readFileSync(settings, 'utf8');
    fs.rmSync(settings);
    await workbench.squiggles();
    return text.trim();
  },

  /** With the setting from the docs, saving applies the safe fixes and no others. */
  async fixOnSave(workbench) {
    workbench.changeIn(workbench.settings.user, { 'editor.codeActionsOnSave': { 'source.fixAll.agentmd': 'explicit' } });
    try {
      await begin(workbench);
      await workbench.open(SKILL);
      await workbench.squiggles();
      await workbench.goTo(path.join('..', 'desk', SKILL), 'down.');
      await workbench.page.keyboard.type(' Done.');
      await workbench.save();
      const place = path.join(folder(workbench), SKILL);
      await workbench.until(() => fs.readFileSync(place, 'utf8').includes('description: "Use when: somebody asks for notes"'));
      return fs.readFileSync(place, 'utf8').split('\n')[2];
    } finally {
      workbench.changeIn(workbench.settings.user, { 'editor.codeActionsOnSave': null });
    }
  },

  /** The references lens is off by default, follows the user's setting at once, and opens VS Code's own list. */
  async referenceLens(workbench) {
    await begin(workbench, { 'desk/programs/daily.md': '---\nname: daily\ndescription: Sorts every day\ninput: { type: object }\noutput: { type: object }\nimports: [./sort.md]\n---\n\nUse `sort`.\n' });
    await workbench.open('sort.md');
    await workbench.squiggles();
    const lens = workbench.page.locator('.codelens-decoration a', { hasText: /^\d+ references?$/ });
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Run' }).waitFor();
    assert.equal(await lens.count(), 0);
    try {
      await workbench.toggleSetting('agentmd.reference-lenses');
      await lens.first().waitFor();
      const shown = await workbench.texts('.codelens-decoration a');
      await lens.first().click();
      await workbench.shows('.peekview-widget, .tab.active', 'daily.md');
      await workbench.press('Escape');
      await workbench.toggleSetting('agentmd.reference-lenses');
      await lens.first().waitFor({ state: 'detached' });
      return shown.join(' | ');
    } finally {
      fs.rmSync(path.join(folder(workbench), 'programs/daily.md'));
    }
  },

  /** An empty skill offers the snippet, but not words from other files. */
  async snippets(workbench) {
    await begin(workbench, { 'desk/.claude/skills/fresh/SKILL.md': '' });
    await workbench.open('.claude/skills/fresh/SKILL.md');
    await workbench.runs();
    await workbench.page.keyboard.type('skill', { delay: 40 });
    await workbench.press('Control+Space');
    await workbench.page.waitForSelector('.suggest-widget.visible .monaco-list-row');
    await workbench.pause(500);
    const rows = await workbench.page.locator('.suggest-widget.visible .monaco-list-row').evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
    assert.ok(rows.some((row) => /skill/i.test(row)), rows.join(' | '));
    assert.ok(rows.every((row) => !/sentence|somebody/.test(row)), rows.join(' | '));
    return rows.join(' | ');
  },
};
