// What a person does in the workbench: opens files, goes to places, types, reads what is shown.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

export class Workbench {
  constructor(page, { folder, settings, pictures, program, code }) {
    this.page = page;
    this.folder = folder;
    this.settings = settings;
    this.pictures = pictures;
    this.program = program;
    this.code = code;
    page.setDefaultTimeout(20_000);
  }

  async start(address) {
    await this.page.goto(address, { waitUntil: 'commit', timeout: 120_000 });
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 240_000 });
  }

  /** Closes whatever a step has left open, with the files as they were on disk. */
  async tidy() {
    for (let times = 0; times < 3; times += 1) {
      await this.press('Escape');
    }
    await this.command('Notifications: Clear All Notifications');
    if (await this.page.locator('.tab').count()) {
      await this.command('View: Revert and Close Editor');
    }
  }

  async press(...keys) {
    for (const key of keys) {
      await this.page.keyboard.press(key);
    }
  }

  pause(milliseconds) {
    return this.page.waitForTimeout(milliseconds);
  }

  async quickInput(text) {
    await this.page.waitForSelector(".quick-input-widget:not([style*='display: none']) input");
    await this.page.keyboard.type(text);
  }

  /** Does it again while it fails: something that closes can take the keys. */
  async again(work) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries === 4) {
          throw error;
        }
        await this.press('Escape');
        await this.pause(300);
      }
    }
  }

  command(name) {
    return this.again(async () => {
      await this.press('F1');
      await this.quickInput(name);
      await this.page.waitForSelector(`.quick-input-list .monaco-list-row.focused:has-text("${name}")`, { timeout: 5000 });
      await this.press('Enter');
      await this.pause(150);
    });
  }

  open(file) {
    const name = path.basename(file);
    return this.again(async () => {
      await this.press('Escape', 'Control+P');
      await this.quickInput(file);
      await this.page.waitForSelector(`.quick-input-list .monaco-list-row.focused:has-text("${name}")`, { timeout: 5000 });
      await this.press('Enter');
      await this.page.waitForSelector(`.tab.active:has-text("${name}")`, { timeout: 5000 });
    });
  }

  read(file) {
    return fs.readFileSync(path.join(this.folder, file), 'utf8');
  }

  exists(file) {
    return fs.existsSync(path.join(this.folder, file));
  }

  /** Puts the cursor behind the first `text` of a file as it is on disk. */
  async goTo(file, text, offset = text.length) {
    const at = this.read(file).indexOf(text);
    if (at < 0) {
      throw new Error(`there is no \`${text}\` in ${file}`);
    }
    const before = this.read(file).slice(0, at + offset).split('\n');
    await this.press('Control+G');
    await this.quickInput(`${before.length}:${before.at(-1).length + 1}`);
    await this.pause(100);
    await this.press('Enter');
    await this.pause(100);
  }

  async texts(selector) {
    const found = await this.page.locator(selector).allInnerTexts();
    return found.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
  }

  /** Waits until `text` is shown in something that `selector` names. */
  async shows(selector, text) {
    await this.page.waitForFunction(([selector, text]) => [...document.querySelectorAll(selector)].some((element) => element.innerText.replace(/\u00a0/g, ' ').includes(text)), [selector, text]);
  }

  async until(holds) {
    for (const end = Date.now() + 20_000; !holds(); ) {
      if (Date.now() > end) {
        throw new Error(`this did not come true in 20 s: ${holds}`);
      }
      await this.pause(100);
    }
  }

  async squiggles(least = 1) {
    const selector = '.squiggly-error, .squiggly-warning, .squiggly-info, .squiggly-hint';
    await this.page.waitForFunction(([selector, least]) => document.querySelectorAll(selector).length >= least, [selector, least]);
    return this.page.locator(selector).count();
  }

  async hover() {
    await this.press('Control+K', 'Control+I');
    await this.page.waitForSelector('.monaco-hover:not(.hidden) .hover-contents');
    // It fades in.
    await this.pause(400);
  }

  async save() {
    await this.press('Control+S');
    await this.page.waitForFunction(() => !document.querySelector('.tab.active.dirty'));
    await this.pause(150);
  }

  async saveAll() {
    await this.command('File: Save All Files');
    await this.page.waitForFunction(() => !document.querySelector('.tab.dirty'));
    await this.pause(150);
  }

  async picture(name, clip) {
    if (this.pictures) {
      fs.mkdirSync(this.pictures, { recursive: true });
      await this.page.screenshot({ path: path.join(this.pictures, `vscode-${name}.png`), ...(clip ? { clip } : {}) });
    }
  }

  /** The process of the language server: the one that this VS Code has started. */
  server() {
    const listed = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
    const processes = listed.map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).map(([, pid, parent, command]) => ({ pid: Number(pid), parent: Number(parent), command }));
    const ours = new Set([this.code]);
    for (let before = 0; before !== ours.size; ) {
      before = ours.size;
      processes.filter((one) => ours.has(one.parent)).forEach((one) => ours.add(one.pid));
    }
    const found = processes.find((one) => ours.has(one.pid) && one.command === `${this.program} server`);
    if (!found) {
      throw new Error('there is no language server');
    }
    return found.pid;
  }

  /** A program that runs these lines. */
  script(name, lines) {
    const file = path.join(path.dirname(this.settings), name);
    fs.writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
    return file;
  }

  change(settings) {
    const all = { ...JSON.parse(fs.readFileSync(this.settings, 'utf8')), ...settings };
    fs.writeFileSync(this.settings, JSON.stringify(all));
  }
}
