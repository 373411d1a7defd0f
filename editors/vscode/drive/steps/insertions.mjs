// A dropped or pasted file becomes a link, an import, or an item of a context pack, depending on the document.
import assert from 'node:assert/strict';
import { agentFile, openTree, read } from './agents.mjs';

const PACK = 'pack.md';
const FILES = {
  [`team/${PACK}`]: '# What to know\n\n## Context\n\n### Code (from docs/style.md:1-1)\n```markdown\nWrite short sentences.\n```\n',
  'team/guide.md': '# Guide\n\nThe history is kept by:\n',
};

/** Drags a file from the view to below a line. With Shift, VS Code drops it into the document instead of opening it. */
async function drop(workbench, name, below) {
  const from = await workbench.box(agentFile(workbench, name));
  const to = await workbench.box(workbench.page.locator('.view-lines:visible .view-line:visible', { hasText: below }).first());
  const { mouse, keyboard } = workbench.page;
  await mouse.move(from.x + 60, from.y + 8);
  await mouse.down();
  await mouse.move(from.x + 120, from.y + 30, { steps: 5 });
  await mouse.move(to.x + 20, to.y + 30, { steps: 15 });
  await keyboard.down('Shift');
  await workbench.pause(500);
  await mouse.move(to.x + 24, to.y + 30, { steps: 3 });
  await mouse.up();
  await keyboard.up('Shift');
}

async function begin(workbench, file) {
  await workbench.size(640, 1160);
  workbench.write(FILES);
  await openTree(workbench);
  await workbench.open(file);
  await workbench.press('Control+Home');
}

/** Copies a file in the explorer and puts the cursor at the end of another one. */
async function copied(workbench, name, file) {
  workbench.write(FILES);
  await openTree(workbench);
  await workbench.open(name);
  await workbench.command('File: Reveal Active File in Explorer View');
  await workbench.page.locator('.explorer-folders-view .monaco-list-row.selected', { hasText: name.split('/').pop() }).waitFor();
  await workbench.press('Control+C');
  await workbench.open(file);
  await workbench.press('Control+End');
}

export const insertions = {
  /** A memory file imports a dropped file. */
  async dropImport(workbench) {
    await begin(workbench, 'CLAUDE.md');
    await drop(workbench, 'historian', 'before a release');
    await workbench.shows('.view-lines', '@.claude/agents/historian.md');
  },

  /** A program adds the file to its imports, no matter where it's dropped. */
  async dropProgram(workbench) {
    await begin(workbench, 'programs/greet.md');
    await drop(workbench, 'classify', 'Greet');
    await workbench.shows('.view-lines', '- ./classify.md');
    await workbench.save();
    assert.match(read(workbench, 'programs/greet.md'), /^imports:\n {2}- \.\/classify\.md$/m);
  },

  /** A context pack gets a new item with the file's content. */
  async dropItem(workbench) {
    await begin(workbench, PACK);
    await drop(workbench, 'historian', 'What to know');
    await workbench.shows('.view-lines', 'Read the log.');
    await workbench.save();
    const text = read(workbench, PACK);
    assert.match(text, /^### .*\.claude\/agents\/historian\.md/m, text);
    assert.ok(text.startsWith(FILES[`team/${PACK}`].trimEnd()), 'the existing text stays');
  },

  /** In other documents, the file becomes a single link: VS Code inserts its own, so agentmd offers none. */
  async dropLink(workbench) {
    await begin(workbench, 'guide.md');
    await drop(workbench, 'historian', 'is kept by');
    await workbench.shows('.view-lines', '(.claude/agents/historian.md)');
    await workbench.save();
    assert.equal(read(workbench, 'guide.md').split('historian.md').length, 2);
  },

  async pasteLink(workbench) {
    await copied(workbench, '.claude/agents/historian.md', 'guide.md');
    await workbench.press('Control+V');
    await workbench.shows('.view-lines', '(.claude/agents/historian.md)');
    await workbench.save();
    assert.equal(read(workbench, 'guide.md').split('historian.md').length, 2);
  },

  /** Pasting into a memory file inserts a link, too, and offers the import as an alternative. */
  async pasteImport(workbench) {
    await copied(workbench, '.claude/agents/historian.md', 'CLAUDE.md');
    await workbench.press('Control+V');
    await workbench.shows('.view-lines', '(.claude/agents/historian.md)');
    await workbench.page.locator('.post-edit-widget .monaco-button').click();
    await workbench.page.waitForSelector('.action-widget .monaco-list-row.action');
    const ways = await workbench.texts('.action-widget .monaco-list-row.action');
    await workbench.page.locator('.action-widget .monaco-list-row.action', { hasText: 'Insert import' }).click();
    await workbench.shows('.view-lines', '@.claude/agents/historian.md');
    return ways.join(' | ');
  },
};
