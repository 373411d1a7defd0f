// A review of edits: compared, accepted and rejected with the keyboard only, kept across a reload, and applied together.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

const REPLY = 'The greeting takes a language, and what is counted twice is counted once.\n\nsrc/hello.py\n<<<<<<< SEARCH\ndef hello(name):\n    print("Hello " + name)\n=======\ndef hello(name, word="Hello"):\n    print(f"{word} {name}")\n>>>>>>> REPLACE\n\nsrc/count.py\n<<<<<<< SEARCH\n        total += 1\n=======\n        total += step\n>>>>>>> REPLACE\n\nsrc/hello.py\n<<<<<<< SEARCH\ndef greet_all(nobody):\n    return nobody.at_all\n=======\n>>>>>>> REPLACE\n\nnotes/greeting.md\n<<<<<<< SEARCH\n=======\n# Greeting\n\n`hello` takes the word to greet with.\n>>>>>>> REPLACE\n';
const FILES = {
  'review/review.md': REPLY,
  'review/src/hello.py': 'def hello(name):\n    print("Hello " + name)\n\n\nhello("world")\n',
  // Long enough for the matches to be below the list of places.
  'review/src/count.py': 'import sys\n\nstep = 1\ntotal = 0\n\n\ndef words(text):\n    return [word for word in text.split() if word.isalpha()]\n\n\ndef read(name):\n    with open(name, encoding="utf-8") as file:\n        return file.read()\n\n\nfor name in sys.argv[1:]:\n    for word in words(read(name)):\n        total += 1\n\nprint(total)\n\nfor line in sys.stdin:\n    for word in words(line):\n        total += 1\n\nprint(total)\n',
};
const LIST = '.pane:has([aria-label^="Review"]) .monaco-list-row';

function folder(workbench) {
  return path.join(workbench.scratch, 'review');
}

function read(workbench, file) {
  return fs.readFileSync(path.join(folder(workbench), file), 'utf8');
}

async function rows(workbench) {
  return workbench.texts(LIST);
}

async function begin(workbench) {
  await workbench.visit(folder(workbench));
  await workbench.open('review.md');
  await workbench.page.locator('.codelens-decoration a', { hasText: 'Review 4 changes' }).click();
  await workbench.page.waitForSelector('.tab.active:has-text("Edit src/hello.py (1 of 4)")');
  await workbench.page.waitForSelector(LIST);
  await workbench.pause(800);
}

export const reviews = {
  async review(workbench) {
    workbench.write(FILES);
    await workbench.size(460, 1160);
    await begin(workbench);
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.widen(440);
    const listed = await rows(workbench);
    await workbench.pause(300);
    await workbench.picture('review', 416);
    assert.equal(listed.length, 4);
    assert.ok(listed[1].includes('2 matches: lines 18, 24') && listed[2].includes('No match') && listed[3].includes('Create notes/greeting.md'), listed.join(' | '));
    // Every row has a descriptive name.
    const labels = await workbench.page.locator(LIST).evaluateAll((all) => all.map((row) => row.getAttribute('aria-label')));
    assert.ok(labels.every((label) => label && /^(Edit|Create) \S+, ./.test(label)), labels.join(' | '));
    return labels.join(' | ');
  },

  /** With the keyboard only: accept, choose a place, reject, accept. */
  async reviewKeys(workbench) {
    await workbench.size(460, 1160);
    await begin(workbench);
    await workbench.hideSideBar();
    await workbench.press('Control+Enter');
    await workbench.page.waitForSelector('.tab.active:has-text("Edit src/count.py (2 of 4), at line 18?")');
    await workbench.pause(800);
    await workbench.press('Control+Enter');
    await workbench.shows('.quick-input-title', 'where does it belong?');
    await workbench.press('ArrowDown');
    await workbench.page.waitForSelector('.tab:has-text("at line 24?")');
    await workbench.pause(800);
    await workbench.picture('review-place', 416);
    const places = await workbench.texts('.quick-input-list .monaco-list-row');
    await workbench.press('Enter');
    // The third edit has no match and stays undecided; the next undecided one is the last.
    await workbench.page.waitForSelector('.tab.active:has-text("Create notes/greeting.md (4 of 4)")');
    await workbench.pause(800);
    await workbench.press('Control+Backspace');
    const said = await workbench.notification('Everything is decided.');
    assert.match(said, /2 accepted, 1 rejected, 1 can't be applied/);
    assert.equal(places.length, 4, places.join(' | '));
    // Nothing is written before it is applied.
    assert.equal(read(workbench, 'src/count.py'), FILES['review/src/count.py']);
    return said;
  },

  async reviewReload(workbench) {
    await workbench.visit(folder(workbench));
    await workbench.open('review.md');
    await workbench.command('agentmd: Focus on Review View');
    await workbench.page.waitForSelector(LIST);
    await workbench.pause(1000);
    const listed = await rows(workbench);
    assert.ok(listed[0].includes('accepted') && listed[1].includes('line 24 · accepted') && listed[3].includes('rejected'), listed.join(' | '));
    return listed.join(' | ');
  },

  async reviewAll(workbench) {
    await workbench.size(480, 1160);
    await workbench.visit(folder(workbench));
    await workbench.open('review.md');
    await workbench.runs();
    await workbench.command('agentmd: Show All Changes');
    await workbench.page.waitForSelector('.tab.active:has-text("Changes of review.md")');
    await workbench.page.waitForSelector('.multiDiffEntry .view-lines');
    await workbench.pause(1500);
    await workbench.picture('review-all', 436);
    // An open comparison is restored after a reload.
    await workbench.stored('Changes of review.md');
    await workbench.page.reload({ waitUntil: 'commit' });
    await workbench.page.waitForSelector('.tab.active:has-text("Changes of review.md")');
    await workbench.page.waitForSelector('.multiDiffEntry .view-lines');
    return (await workbench.texts('.multiDiffEntry .title')).join(' | ');
  },

  /** The file of an accepted edit is deleted: nothing is applied, and no decision is lost. */
  async reviewDeleted(workbench) {
    await begin(workbench);
    const place = path.join(folder(workbench), 'src/hello.py');
    const text = fs.readFileSync(place, 'utf8');
    fs.rmSync(place);
    await workbench.shows(LIST, 'No such file: src/hello.py');
    await workbench.shows('.view-lines', "can't be applied now");
    await workbench.pause(300);
    const shown = (await workbench.texts('.monaco-diff-editor .view-lines')).join(' ');
    fs.writeFileSync(place, text);
    await workbench.shows(LIST, 'accepted');
    await workbench.page.waitForFunction((list) => !document.querySelector(list)?.innerText.includes('No such file'), LIST);
    return shown.slice(0, 160);
  },

  async reviewReplyDeleted(workbench) {
    await begin(workbench);
    const place = path.join(folder(workbench), 'review.md');
    await workbench.command('View: Close All Editors');
    // Changing a file makes the extension read the reply again, so VS Code keeps it in memory.
    fs.writeFileSync(path.join(folder(workbench), 'src/count.py'), FILES['review/src/count.py']);
    await workbench.pause(1500);
    fs.rmSync(place);
    try {
      await workbench.shows('.pane .message', "review.md doesn't exist any more");
      return (await workbench.texts('.pane .message')).join(' ');
    } finally {
      fs.writeFileSync(place, REPLY);
      await workbench.shows(LIST, 'accepted');
    }
  },

  /** A killed server is restarted, and the review continues. */
  async reviewCrash(workbench) {
    await begin(workbench);
    process.kill(workbench.server(), 'SIGKILL');
    const said = await workbench.notification('crashed and was started again');
    await workbench.command('agentmd: Next Change');
    await workbench.page.waitForSelector('.tab.active:has-text("(2 of 4)")');
    await workbench.shows('.view-lines', 'total += step');
    const listed = await rows(workbench);
    assert.ok(listed[0].includes('accepted') && listed[3].includes('rejected'), listed.join(' | '));
    return said;
  },

  async reviewApply(workbench) {
    await begin(workbench);
    await workbench.command('agentmd: Apply the Accepted Changes');
    const said = await workbench.notification('Applied: changed src/hello.py');
    await workbench.until(() => read(workbench, 'src/count.py') === FILES['review/src/count.py'].replace(/total \+= 1(?=\n\nprint\(total\)\n$)/, 'total += step'));
    assert.match(read(workbench, 'src/hello.py'), /word="Hello"/);
    assert.ok(!fs.existsSync(path.join(folder(workbench), 'notes')));
    await workbench.page.locator('.notification-list-item .monaco-button', { hasText: 'Undo' }).click();
    await workbench.until(() => read(workbench, 'src/count.py') === FILES['review/src/count.py']);
    await workbench.command('agentmd: Close the Review');
    return said;
  },
};
