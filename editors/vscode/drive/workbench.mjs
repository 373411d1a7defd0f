// A user's actions in the workbench: opening files, going to places, typing, reading the window.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { small } from './png.mjs';

export class Workbench {
  constructor(page, { address, folder, scratch, settings, pictures, program, code, environment, provider }) {
    this.page = page;
    this.address = address;
    this.folder = folder;
    this.scratch = scratch;
    this.settings = settings;
    this.pictures = pictures;
    this.program = program;
    this.code = code;
    this.environment = environment;
    this.provider = provider;
    // Busy machines take a while.
    page.setDefaultTimeout(45_000);
  }

  /** Opens a folder in the window. */
  async visit(place) {
    await this.page.goto(`${this.address}?folder=${encodeURIComponent(place)}`, { waitUntil: 'commit', timeout: 120_000 });
    await this.page.waitForSelector('.part.statusbar .statusbar-item', { timeout: 120_000 });
    await this.pause(1000);
    await this.again(async () => {
      await this.command('Explorer: Focus on Folders View');
      await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 8000 });
    });
    await this.page.waitForSelector('.explorer-folders-view .monaco-list-row', { timeout: 60_000 });
  }

  /** Waits until the window has stored something: it stores open editors after some seconds, and a reload loses the rest. */
  async stored(text) {
    const holds = async (text) => {
      const result = (request) => new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));
      for (const { name } of await indexedDB.databases()) {
        const state = name.startsWith('vscode-web-state-db') ? await result(indexedDB.open(name)) : undefined;
        const values = state?.objectStoreNames.contains('ItemTable') ? await result(state.transaction('ItemTable').objectStore('ItemTable').getAll()) : [];
        state?.close();
        if (values.some((value) => String(value).includes(text))) {
          return true;
        }
      }
      return false;
    };
    for (const end = Date.now() + 45_000; !(await this.page.evaluate(holds, text)); ) {
      if (Date.now() > end) {
        throw new Error(`the window has not stored ${text}`);
      }
      await this.pause(500);
    }
  }

  /** Writes files, below the scratch folder or at absolute paths. */
  write(files) {
    for (const [file, text] of Object.entries(files)) {
      const place = path.resolve(this.scratch, file);
      fs.mkdirSync(path.dirname(place), { recursive: true });
      fs.writeFileSync(place, text, { mode: text.startsWith('#!') ? 0o755 : 0o644 });
    }
  }

  /** Sets the size of the window. */
  async size(height, width = 920) {
    await this.page.setViewportSize({ width, height });
    await this.pause(200);
  }

  /** Shows a view of the extension as the only one in the side bar. */
  async showView(name) {
    await this.command(`agentmd: Focus on ${name} View`);
    await this.page.waitForSelector(`.part.sidebar .pane-header[aria-label^="${name}"]`, { state: 'attached' });
    await this.pause(500);
  }

  /** Widens the side bar so that nothing in it is cut off. */
  async widen(width = 400) {
    const bar = await this.page.locator('.part.sidebar').boundingBox();
    const edge = bar.x + bar.width;
    const sashes = await this.page.locator('.monaco-sash.vertical').all();
    const boxes = (await Promise.all(sashes.map((sash) => sash.boundingBox()))).filter(Boolean).map((box) => box.x + box.width / 2);
    const from = boxes.sort((left, right) => Math.abs(left - edge) - Math.abs(right - edge))[0];
    const { mouse } = this.page;
    await mouse.move(from, bar.y + bar.height - 40);
    await mouse.down();
    await mouse.move(from + width - bar.width, bar.y + bar.height - 40, { steps: 8 });
    await mouse.up();
    await mouse.move(this.page.viewportSize().width - 300, bar.y + bar.height - 40);
    await this.page.waitForFunction((width) => Math.abs(document.querySelector('.part.sidebar').getBoundingClientRect().width - width) < 12, width);
  }

  /** Does work in a colour theme. */
  async theme(name, work) {
    this.changeIn(this.settings.user, { 'workbench.colorTheme': name });
    await this.pause(1500);
    try {
      return await work();
    } finally {
      this.changeIn(this.settings.user, { 'workbench.colorTheme': 'Default Light Modern' });
      await this.pause(1000);
    }
  }

  /** Hides the side bar, so that only the editor is shown. */
  async hideSideBar() {
    if (await this.page.locator('.part.sidebar').isVisible()) {
      await this.press('Control+B');
      await this.page.waitForSelector('.part.sidebar', { state: 'hidden' });
      await this.pause(300);
    }
  }

  async hidePanel() {
    if (await this.page.locator('.part.panel').isVisible()) {
      await this.press('Control+J');
      await this.page.waitForSelector('.part.panel', { state: 'hidden' });
    }
  }

  /** Closes everything that a step has left open, without saving. */
  async tidy() {
    for (let times = 0; times < 3; times += 1) {
      await this.press('Escape');
    }
    await this.command('Notifications: Clear All Notifications');
    for (let open = Infinity, now = await this.page.locator('.tab').count(); now > 0 && now < open; now = await this.page.locator('.tab').count()) {
      open = now;
      await this.command('View: Revert and Close Editor');
    }
    if ((await this.page.locator('.tab').count()) > 0) {
      // Comparisons of several files can't be reverted.
      await this.command('View: Close All Editors');
    }
    await this.size(800);
    await this.hideSideBar();
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

  /** Retries work while it fails, since something that is closing can swallow the keys. */
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
      await this.page.waitForSelector(`.quick-input-list .monaco-list-row.focused:has-text("${name}")`, { timeout: 15_000 });
      await this.press('Enter');
      await this.page.waitForSelector(`.tab.active:has-text("${name}")`, { timeout: 10_000 });
    });
  }

  /** Opens a file in the explorer with a double click, for files that the search doesn't find. */
  async openFromExplorer(name) {
    await this.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
    await this.page.waitForSelector(`.tab.active:has-text("${name}")`);
  }

  read(file) {
    return fs.readFileSync(path.join(this.folder, file), 'utf8');
  }

  exists(file) {
    return fs.existsSync(path.join(this.folder, file));
  }

  /** Puts the cursor after the first `text` of a file, according to its content on disk. */
  async goTo(file, text, offset = text.length) {
    const at = this.read(file).indexOf(text);
    if (at < 0) {
      throw new Error(`\`${text}\` is not in ${file}`);
    }
    const before = this.read(file).slice(0, at + offset).split('\n');
    await this.press('Control+G');
    await this.quickInput(`${before.length}:${before.at(-1).length + 1}`);
    await this.pause(100);
    await this.press('Enter');
    await this.pause(100);
  }

  /** The bounding box of something, once it is shown. */
  async box(locator) {
    for (const end = Date.now() + 20_000; Date.now() < end; ) {
      await locator.waitFor();
      // While a list is being redrawn, the element may vanish again.
      const box = await locator.boundingBox();
      if (box) {
        return box;
      }
      await this.pause(200);
    }
    throw new Error(`no bounding box: ${locator}`);
  }

  async texts(selector) {
    const found = await this.page.locator(selector).allInnerTexts();
    return found.map((text) => text.replace(/\s+/g, ' ').trim()).filter(Boolean);
  }

  /** Waits until an element that matches `selector` contains `text`. */
  async shows(selector, text) {
    await this.page.waitForFunction(([selector, text]) => [...document.querySelectorAll(selector)].some((element) => element.innerText.replace(/\u00a0/g, ' ').includes(text)), [selector, text]);
  }

  async until(holds) {
    for (const end = Date.now() + 45_000; !(await holds()); ) {
      if (Date.now() > end) {
        throw new Error(`not true after 45 s: ${holds}`);
      }
      await this.pause(100);
    }
  }

  async squiggles(least = 1) {
    const selector = '.squiggly-error, .squiggly-warning, .squiggly-info, .squiggly-hint';
    await this.page.waitForFunction(([selector, least]) => document.querySelectorAll(selector).length >= least, [selector, least]);
    return this.page.locator(selector).count();
  }

  /** Shows the hover at the cursor. On a busy machine, a hidden hover can reappear empty. */
  async hover() {
    for (let tries = 0; ; tries += 1) {
      await this.press('Control+K', 'Control+I');
      const shown = this.page.locator('.monaco-hover:not(.hidden) .hover-contents').first();
      const appeared = await shown.waitFor({ timeout: 5000 }).then(() => true, () => false);
      // The hover fades in.
      await this.pause(400);
      if (appeared && (await shown.isVisible())) {
        return;
      }
      if (tries === 3) {
        throw new Error('no hover is shown');
      }
      await this.press('Escape');
    }
  }

  /** Opens the list of actions at the cursor and returns its rows. */
  actions() {
    return this.again(async () => {
      await this.press('Control+.');
      await this.page.waitForSelector('.action-widget .monaco-list-row.action', { timeout: 10_000 });
      return this.texts('.action-widget .monaco-list-row.action');
    });
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

  /** Takes a picture of the window from its top to the lowest of these elements, or to a height. No notification may cover it. */
  async picture(name, ...until) {
    if (this.pictures) {
      this.keep(name, [await this.shot(...until)]);
    }
  }

  async shot(...until) {
    await this.page.waitForFunction(() => !document.querySelector('.notifications-toasts.visible .notification-list-item'));
    let bottom = 0;
    for (const place of until) {
      const box = typeof place === 'number' ? { y: place, height: 0 } : await this.page.locator(place).last().boundingBox();
      bottom = Math.max(bottom, (box?.y ?? 0) + (box?.height ?? 0));
    }
    const { width, height } = this.page.viewportSize();
    const clip = { x: 0, y: 0, width, height: bottom > 0 ? Math.min(height, bottom + 12) : height };
    return this.page.screenshot({ clip, animations: 'disabled', caret: 'hide' });
  }

  /** Saves pictures of the same width as one, one below the other. */
  keep(name, shots) {
    if (this.pictures) {
      fs.mkdirSync(this.pictures, { recursive: true });
      fs.writeFileSync(path.join(this.pictures, `vscode-${name}.png`), small(shots));
    }
  }

  /** Waits until the details next to a list of completions are shown and contain this text. */
  async details(text) {
    await this.pause(500);
    if (!(await this.page.locator('.suggest-details').isVisible())) {
      // If the list is open, the keys that open it show the details.
      await this.press('Control+Space');
    }
    await this.shows('.suggest-details', text);
    await this.pause(300);
  }

  async notification(text) {
    await this.shows('.notification-list-item-message', text);
    return (await this.texts('.notification-list-item-message')).find((said) => said.includes(text));
  }

  async buttons() {
    return this.texts('.notification-list-item .monaco-button');
  }

  async runs() {
    await this.shows('.statusbar-item', 'agentmd 0.');
  }

  /** The process of the language server that this VS Code has started. */
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
      throw new Error('no language server is running');
    }
    return found.pid;
  }

  /** Writes a shell script with these lines. */
  script(name, lines) {
    this.write({ [`scripts/${name}`]: `#!/bin/sh\n${lines}\n` });
    return path.join(this.scratch, 'scripts', name);
  }

  /** Toggles a user setting in the settings editor, since a window of the server build doesn't notice changes of the file. */
  async toggleSetting(name) {
    await this.command('Preferences: Open User Settings');
    await this.page.waitForSelector('.settings-editor .settings-header');
    await this.page.keyboard.type(`@id:${name}`);
    await this.shows('.settings-editor .settings-count-widget', '1 Setting Found');
    // The list is redrawn when the search has ended.
    await this.pause(1000);
    const written = () => fs.readFileSync(this.settings.user, 'utf8');
    const before = written();
    await this.page.locator('.settings-editor .setting-item-bool .setting-value-checkbox').click();
    await this.until(() => written() !== before);
    await this.press('Escape', 'Escape');
    await this.page.waitForSelector('.settings-editor', { state: 'hidden' });
  }

  change(settings) {
    this.changeIn(this.settings.machine, settings);
  }

  changeIn(file, settings) {
    const all = { ...JSON.parse(fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '{}'), ...settings };
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify(all, (_, value) => value ?? undefined, 2));
  }
}
