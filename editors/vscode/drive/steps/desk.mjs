// What an author sees while writing: light bulbs only where something helps, in every colour theme, and files that are large or unsaved.
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

/** The file, the text that the cursor is at, and whether something helps there. */
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

function folder(workbench) {
  return path.join(workbench.scratch, 'desk');
}

export const desk = {
  async bulbs(workbench) {
    workbench.write(FILES);
    workbench.changeIn(workbench.settings.user, { 'editor.lightbulb.enabled': 'on' });
    try {
      await workbench.visit(folder(workbench));
      await workbench.hideSideBar();
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
        await workbench.pause(1500);
        const bulb = (await workbench.page.locator('.lightBulbWidget:visible, .codicon-gutter-lightbulb:visible, .codicon-gutter-lightbulb-auto-fix:visible, .codicon-light-bulb:visible, [class*="gutter-lightbulb"]:visible').count()) > 0;
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

  /** A document of 1 MB answers a key, and its preview and its outline come. */
  async large(workbench) {
    const body = '## Part\n\nSome words, and {{ .team }}.\n\n'.repeat(26_000);
    workbench.write({ 'desk/large.md': `${FILES['desk/programs/sort.md']}\n${body}` });
    await workbench.visit(folder(workbench));
    await workbench.hideSideBar();
    await workbench.open('large.md');
    await workbench.runs();
    await workbench.squiggles();
    await workbench.command('agentmd: Preview What the Model Reads');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('#status', { hasText: 'tokens' }).waitFor();
    return frame.locator('#status').innerText();
  },

  /** A preview follows its file when another program changes it, outlives the server, and says nothing wrong when the file is gone. */
  async previewFollows(workbench) {
    workbench.write(FILES);
    await workbench.visit(folder(workbench));
    await workbench.hideSideBar();
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

  /** What is typed and not saved counts: edits apply to the buffer, and nothing typed is lost. */
  async unsaved(workbench) {
    workbench.write(FILES);
    await workbench.visit(folder(workbench));
    await workbench.hideSideBar();
    await workbench.open('src/greet.py');
    await workbench.press('Control+End');
    await workbench.page.keyboard.type('# typed');
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
};
