// Agent files: the clients' verdicts on one, all files of a folder, new files, and the map of which files use which.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const SKILL = '---\nname: release-notes\ndescription: Writes release notes from the commits since the last tag\nallowed-tools: [Read, Bash(git log *)]\n---\n\n# Release notes\n\nAsk the `historian` for the commits, and say in one sentence each what is different.\n';
const FILES = {
  'team/agentmd.toml': 'clients = ["claude-code", "copilot", "cline"]\n\n[budget]\nalways = 400\n',
  'team/CLAUDE.md': '# Rules\n\n@docs/style.md\n\nUse `release-notes` before a release.\n',
  'team/AGENTS.md': '# Rules\n\nRun the tests before you commit.\n',
  'team/docs/style.md': 'Write short sentences.\n',
  'team/.claude/skills/release-notes/SKILL.md': SKILL,
  'team/.claude/skills/changelog/SKILL.md': '---\nname: changelog\ndescription: Use when: somebody asks for a changelog\n---\n\n# Changelog\n\nUse the skill `release-notes`.\n',
  'team/.claude/agents/historian.md': '---\nname: historian\ndescription: Reads the history of the repository\ntools: Read, Bash\nskills: [release-notes, archive]\n---\n\nRead the log.\n',
  'team/.claude/commands/release.md': '---\ndescription: Prepares a release\nargument-hint: [version]\n---\n\nPrepare $ARGUMENTS with the skill `release-notes`.\n',
  'team/.github/instructions/python.instructions.md': '---\napplyTo: "**/*.py"\n---\n\nUse type hints.\n',
  'team/programs/sort.md': '---\nname: sort\ndescription: Sorts tickets\ninput: { type: object }\nimports:\n  - ./classify.md\noutput: { type: object }\n---\n\nSort with `classify`.\n',
  'team/programs/greet.md': '---\nname: greet\ndescription: Greets\ninput: { type: object, properties: { who: { type: string } } }\noutput: { type: object }\nsample: { who: Ada }\n---\n\nGreet {{ .who }} and {{ .nobody }}.\n',
  'team/programs/classify.md': '---\nname: classify\ndescription: Classifies a ticket\ninput: { type: object }\noutput: { type: object }\n---\n\nClassify.\n',
};
const TREE = '.pane:has([aria-label^="Agent Files"]) .monaco-list-row';

export function team(workbench) {
  return path.join(workbench.scratch, 'team');
}

/** A file of the folder as it is on disk. */
export function read(workbench, file) {
  return fs.readFileSync(path.join(team(workbench), file), 'utf8');
}

/** The first row of a file in the view of agent files. */
export function agentFile(workbench, name) {
  return workbench.page.locator(TREE, { hasText: name }).first();
}

/** Opens the rows of the view of agent files that have these labels, each below the one before. */
export async function expandTree(workbench, ...labels) {
  let below = -1;
  for (const label of labels) {
    const rows = workbench.page.locator(TREE);
    const found = await rows.evaluateAll((all, [label, below]) => {
      const at = all.findIndex((row) => Number(row.dataset.index) > below && row.innerText.trim().startsWith(label));
      return at < 0 ? undefined : { at, index: Number(all[at].dataset.index), closed: all[at].getAttribute('aria-expanded') === 'false' };
    }, [label, below]);
    if (!found) {
      throw new Error(`no row '${label}' in ${(await workbench.texts(TREE)).join(' | ')}`);
    }
    if (found.closed) {
      await rows.nth(found.at).click();
      await workbench.pause(400);
    }
    below = found.index;
  }
}

/** Opens the folder with the files above, none of them in an editor. */
export async function begin(workbench) {
  workbench.write(FILES);
  await workbench.visit(team(workbench));
  await workbench.command('View: Close All Editors');
}

export async function openTree(workbench) {
  await begin(workbench);
  await workbench.open('CLAUDE.md');
  await workbench.runs();
  await workbench.showView('Agent Files');
  await workbench.page.waitForSelector(TREE);
  await workbench.widen();
  await expandTree(workbench, 'Claude Code', 'Skills');
  await expandTree(workbench, 'Claude Code', 'Agents');
  await expandTree(workbench, 'Cline', 'Skills');
  await expandTree(workbench, 'Programs');
  await workbench.pause(500);
}

export const agents = {
  /** One file, three clients: the lens and the hover next to VS Code's own support for skills, without duplicates. */
  async verdicts(workbench) {
    const file = '.claude/skills/changelog/SKILL.md';
    await begin(workbench);
    await workbench.hideSideBar();
    await workbench.size(420, 1000);
    await workbench.open(file);
    await workbench.squiggles();
    await workbench.page.waitForSelector('.codelens-decoration a');
    const lenses = await workbench.texts('.codelens-decoration a');
    await workbench.press('Control+Home');
    await workbench.pause(500);
    const shots = [await workbench.shot('.view-lines .view-line:has-text("Use the skill")')];
    await workbench.hover();
    await workbench.shows('.monaco-hover .hover-contents', 'Claude Code');
    const shown = (await workbench.texts('.monaco-hover:not(.hidden) .hover-contents')).join(' ');
    shots.push(await workbench.shot('.monaco-hover:not(.hidden)'));
    workbench.keep('verdicts', shots);
    await workbench.press('Escape');
    const count = await workbench.squiggles();
    assert.equal(count, 1, 'one cause, one finding: VS Code checks skills itself');
    assert.ok(lenses.some((lens) => /Claude Code ✓.*Copilot: partly.*Cline: not loaded/.test(lens)), lenses.join(' | '));
    return `${lenses.join(' | ')} => ${shown.slice(0, 200)}`;
  },

  async agentFiles(workbench) {
    await workbench.size(640, 1160);
    await openTree(workbench);
    const rows = await workbench.texts(TREE);
    const labels = await workbench.page.locator(TREE).evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
    await workbench.page.locator(TREE, { hasText: 'changelog' }).last().hover();
    await workbench.pause(1200);
    await workbench.picture('agents', 600);
    assert.ok(rows.some((row) => row.includes('release-notes')) && rows.some((row) => /changelog.*(not loaded|in part)/.test(row)), rows.join(' | '));
    assert.ok(rows[0].includes('of 400'), rows[0]);
    assert.ok(labels.every(Boolean));
    await workbench.page.locator(TREE, { hasText: 'historian' }).first().click();
    await workbench.page.waitForSelector('.tab.active:has-text("historian.md")');
    return rows.join(' | ');
  },

  async agentFilesFollow(workbench) {
    await openTree(workbench);
    const place = path.join(team(workbench), '.claude/skills/changelog/SKILL.md');
    const text = fs.readFileSync(place, 'utf8');
    fs.writeFileSync(place, text.replace('Use when: somebody', 'Use when somebody'));
    await workbench.page.waitForFunction((tree) => [...document.querySelectorAll(tree)].some((row) => row.innerText.includes('changelog') && !/not loaded|in part/.test(row.innerText)), TREE);
    fs.writeFileSync(place, text);
    await workbench.page.waitForFunction((tree) => [...document.querySelectorAll(tree)].some((row) => /changelog.*(not loaded|in part)/s.test(row.innerText)), TREE);
  },

  async searchAgentFiles(workbench) {
    await begin(workbench);
    await workbench.open('CLAUDE.md');
    await workbench.runs();
    await workbench.command('agentmd: Search Agent Files');
    await workbench.quickInput('historian');
    await workbench.shows('.quick-input-list .monaco-list-row', 'historian');
    await workbench.press('Enter');
    await workbench.page.waitForSelector('.tab.active:has-text("historian.md")');
  },

  async newAgentFile(workbench) {
    await begin(workbench);
    await workbench.open('CLAUDE.md');
    await workbench.runs();
    await workbench.command('agentmd: New Agent File');
    await workbench.shows('.quick-input-list .monaco-list-row', 'New skill');
    const kinds = await workbench.texts('.quick-input-list .monaco-list-row');
    await workbench.quickInput('skill for Claude');
    await workbench.pause(300);
    await workbench.press('Enter');
    await workbench.shows('.quick-input-title', 'New skill for Claude Code');
    await workbench.quickInput('brew-tea');
    await workbench.press('Enter');
    await workbench.until(() => fs.existsSync(path.join(team(workbench), '.claude/skills/brew-tea/SKILL.md')));
    await workbench.page.waitForSelector('.tab.active:has-text("SKILL.md")');
    await workbench.shows('.view-lines', 'name: brew-tea');
    // A name that already exists is refused with a reason.
    await workbench.command('agentmd: New Agent File');
    await workbench.quickInput('skill for Claude');
    await workbench.pause(300);
    await workbench.press('Enter');
    await workbench.shows('.quick-input-title', 'New skill for Claude Code');
    await workbench.quickInput('brew-tea');
    await workbench.press('Enter');
    const said = await workbench.notification('already exists');
    fs.rmSync(path.join(team(workbench), '.claude/skills/brew-tea'), { recursive: true });
    return `${kinds.join(' | ')} => ${said}`;
  },

  async graph(workbench) {
    await workbench.size(640, 1160);
    await begin(workbench);
    await workbench.hideSideBar();
    await workbench.open('CLAUDE.md');
    await workbench.runs();
    await workbench.command('agentmd: Show the Map of Agent Files');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('a[role=link]').first().waitFor();
    const names = await frame.locator('a[role=link]').evaluateAll((all) => all.map((box) => box.getAttribute('aria-label')));
    await workbench.pause(500);
    await workbench.picture('graph', 600);
    assert.ok(names.some((name) => /release-notes skill,/.test(name)) && names.some((name) => /archive missing,/.test(name)), names.join(' | '));
    // With the keyboard only: search, go to the result, open it.
    await frame.locator('#search').fill('historian agent');
    await frame.locator('#search').press('Enter');
    await workbench.pause(300);
    await workbench.press('Enter');
    await workbench.page.waitForSelector('.tab.active:has-text("historian.md")');
    return names.join(' | ');
  },

  async previewAgent(workbench) {
    await workbench.size(560, 1160);
    await begin(workbench);
    await workbench.hideSideBar();
    await workbench.open('.claude/skills/changelog/SKILL.md');
    await workbench.runs();
    await workbench.squiggles();
    await workbench.command('agentmd: Preview What the Model Reads');
    const frame = workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe');
    await frame.locator('#clients li', { hasText: 'Cline' }).waitFor();
    const clients = await frame.locator('#clients li').allInnerTexts();
    await workbench.pause(500);
    await workbench.picture('preview-agent', 520);
    assert.equal(clients.length, 3, clients.join(' | '));
    return clients.join(' | ');
  },
};
