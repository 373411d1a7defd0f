// Uses the built page in Chromium, as a reader would: with the mouse, with keys only, from a folder and from a web server.
//   node drive.mjs FOLDER [--chromium PATH] [--pictures FOLDER] [--only NAME,…]
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { chromium: { type: 'string', default: '/usr/bin/chromium' }, pictures: { type: 'string' }, only: { type: 'string' } },
});
const folder = resolve(positionals[0] ?? '../target/playground');
const start = pathToFileURL(join(folder, 'index.html')).href;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox', '--disable-dev-shm-usage'] });

/** Opens the page. What it loads and complains about is collected, and compared at the end of a case. */
async function open(url = start, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme: 'light', permissions: ['clipboard-read', 'clipboard-write'], ...options });
  // Loaded by a test, not by the page: its policy doesn't allow that.
  const page = await context.newPage();
  page.complaints = [];
  page.loaded = [];
  page.on('console', (message) => message.type() === 'error' && page.complaints.push(message.text()));
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  page.on('request', (request) => page.loaded.push(request.url()));
  if (options.before) {
    await page.addInitScript(options.before);
  }
  await page.goto(url);
  await settled(page);
  return page;
}

/** Waits until the page shows what agentmd says about the text as it is. */
async function settled(page) {
  await page.waitForTimeout(200);
  await page.waitForFunction(() => document.body.dataset.checked !== undefined, undefined, { timeout: 60_000 });
  let before;
  for (;;) {
    const now = await page.evaluate(() => document.body.dataset.checked);
    if (now === before) {
      return;
    }
    before = now;
    await page.waitForTimeout(350);
  }
}

const choose = async (page, id) => {
  await page.selectOption('#example', id);
  await settled(page);
};
const text = (page) => page.evaluate(() => [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'));
const codes = (page) => page.locator('.panel.findings button.code').allTextContents();
const verdict = (page, client) => page.locator('.panel.verdicts tr', { has: page.locator('th', { hasText: client }) }).locator('td.outcome').innerText();
const line = (page, words) => page.locator('.cm-line', { hasText: words }).first();

async function accessible(page, what) {
  // Evaluated past the page's policy, in the test's own world.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axe });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'], preload: false }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html + ' ' + (node.any[0]?.message ?? node.failureSummary)).slice(0, 4)])))`,
    awaitPromise: true,
    returnByValue: true,
  });
  assert.equal(result.value, '[]', what);
}

async function picture(page, name) {
  if (values.pictures) {
    mkdirSync(values.pictures, { recursive: true });
    await page.screenshot({ path: join(values.pictures, `${name}.png`) });
  }
}

const EXAMPLES = {
  skill: ['agent/front-matter', 'agent/dead-link'],
  program: ['markdownlang/unknown-variable'],
  reply: ['duckflow/dressed-marker', 'duckflow/unknown-parameter'],
  llmd: ['edit/search-not-found'],
  context: ['context/stale'],
  instructions: ['agent/missing-import'],
};

const cases = {
  async 'every example is checked, in both themes'() {
    const page = await open();
    for (const [id, expected] of Object.entries(EXAMPLES)) {
      await choose(page, id);
      assert.deepEqual(await codes(page), expected, id);
      // The editor draws only the lines in view.
      await page.locator('.panel.findings button.place').first().click();
      await page.waitForTimeout(200);
      assert.ok((await page.locator('.cm-lintRange').count()) > 0, `${id} has squiggles`);
      assert.ok((await page.locator('[class^="tok-"]').count()) > 0, `${id} has colours`);
      for (const theme of ['light', 'dark']) {
        await page.selectOption('#theme', theme);
        await page.waitForTimeout(200);
        await picture(page, `playground-${id}-${theme}`);
        await accessible(page, `${id}, ${theme}`);
      }
    }
    return page;
  },

  async 'a fix changes the text and the verdicts, and undo brings both back'() {
    const page = await open();
    assert.match(await verdict(page, 'Codex'), /Not loaded/);
    assert.match(await verdict(page, 'OpenCode'), /Loaded/);
    await page.getByRole('button', { name: 'Quote the value' }).first().click();
    await settled(page);
    assert.match(await text(page), /description: "Use when: somebody asks/);
    assert.match(await verdict(page, 'Codex'), /✓\s*Loaded/);
    await page.keyboard.press('Control+z');
    await settled(page);
    assert.match(await verdict(page, 'Codex'), /Not loaded/);
    await page.getByRole('button', { name: 'Fix everything that is safe to fix' }).click();
    await settled(page);
    assert.deepEqual(await codes(page), ['agent/dead-link']);
    assert.match(await page.locator('#said').innerText(), /1 finding fixed, 1 left|1 warning/);
    return page;
  },

  async 'chosen clients are judged'() {
    const page = await open();
    await page.locator('#clients').click();
    await page.getByRole('button', { name: 'Choose none' }).click();
    await page.getByLabel('Codex', { exact: true }).check();
    await accessible(page, 'the dialog of clients');
    await page.getByRole('button', { name: 'Use' }).click();
    await settled(page);
    assert.deepEqual(await page.locator('.panel.verdicts tbody th').allTextContents(), ['Codex']);
    assert.equal(await page.locator('#clients').innerText(), 'Clients: Codex');
    return page;
  },

  async 'hover, with the mouse and with keys'() {
    const page = await open(`${start}#example=program`);
    const box = await line(page, 'name: classify-ticket').boundingBox();
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    const tooltip = page.locator('.cm-tooltip .markdown');
    await tooltip.first().waitFor();
    await page.mouse.move(5, 5);
    await tooltip.first().waitFor({ state: 'detached' });
    await line(page, 'name: classify-ticket').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Control+i');
    await tooltip.first().waitFor();
    assert.ok((await page.locator('#said').textContent()).length > 10, 'the hover is read aloud');
    await page.keyboard.press('Escape');
    await tooltip.first().waitFor({ state: 'detached' });
    return page;
  },

  async 'everything is within reach of the keyboard'() {
    const page = await open(`${start}#example=program`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // The link leads into the editor.
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className.includes('cm-content')), true);
    await page.keyboard.press('F8');
    await page.keyboard.press('Control+.');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('heading').first().innerText(), 'Fixes and refactorings');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(await text(page), /\.customer\.name \}\}/);
    // Tab isn't kept by the editor.
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.className.includes('cm-content')), false);
    const reached = new Set();
    for (let press = 0; press < 40; press += 1) {
      reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.textContent.slice(0, 20)));
      await page.keyboard.press('Tab');
    }
    for (const id of ['example', 'clients', 'share', 'theme', 'add', 'input']) {
      assert.ok(reached.has(id), `${id} is reached: ${[...reached]}`);
    }
    return page;
  },

  async 'completion writes what it shows'() {
    const page = await open(`${start}#example=program`);
    await line(page, 'customer.nmae').click();
    await page.keyboard.press('Home');
    await page.keyboard.press('Control+Shift+ArrowRight');
    await page.keyboard.type('{{ .customer.');
    await page.keyboard.press('Control+Space');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await options.first().waitFor();
    const labels = await options.allTextContents();
    assert.ok(labels.some((label) => label.startsWith('plan')), String(labels));
    await page.keyboard.type('pl');
    await page.waitForTimeout(300);
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(await text(page), /\{\{ \.customer\.plan/);
    return page;
  },

  async 'a program is rendered with its sample and with other inputs'() {
    const page = await open(`${start}#example=program`);
    const prompt = page.locator('pre.prompt');
    assert.match(await prompt.innerText(), /Two Invoices For May/);
    const input = page.getByLabel('Input (JSON)');
    const sample = await input.inputValue();
    await input.fill(sample.replace('Two invoices for May', 'cannot sign in').replace('"team"', '"enterprise"'));
    await settled(page);
    assert.match(await prompt.innerText(), /Cannot Sign In[^]*contract with response times/);
    await input.fill('{');
    await settled(page);
    assert.match(await page.locator('#input-problem').innerText(), /isn't JSON/);
    await input.fill('{}');
    await settled(page);
    assert.ok((await page.locator('.panel.rendered li.error').count()) > 0, 'the schema refuses an empty input');
    await page.getByRole('button', { name: 'Use the sample' }).click();
    await settled(page);
    assert.equal(await input.inputValue(), sample);
    return page;
  },

  async 'edits are reviewed and applied to the files of the page'() {
    const page = await open(`${start}#example=reply`);
    await page.getByRole('button', { name: 'Replace with ACTION_1_PATH' }).first().click();
    await settled(page);
    await page.getByRole('button', { name: 'Create tests/test_greet.py…' }).click();
    await page.getByRole('dialog').waitFor();
    assert.match(await page.locator('dialog pre.diff').innerText(), /\+def test_evening/);
    await accessible(page, 'the dialog with a diff');
    await picture(page, 'playground-review');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await settled(page);
    const tabs = await page.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('aria-label')));
    assert.deepEqual(tabs, ['reply.md', 'src/greet.py', 'tests/test_greet.py']);
    await page.getByRole('button', { name: 'Edit src/greet.py…' }).first().click();
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await settled(page);
    await page.getByRole('tab', { name: 'src/greet.py', exact: true }).click();
    await settled(page);
    assert.match(await text(page), /def greet\(name, evening=False\)/);
    return page;
  },

  async 'links, renamed, new and deleted files'() {
    const page = await open();
    await line(page, 'name: release-notes').click();
    await page.keyboard.press('End');
    await page.keyboard.type(' 🦆');
    await settled(page);
    const typed = await text(page);
    await page.locator('#share').click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#code=/);
    const other = await open(link);
    assert.equal(await text(other), typed);
    assert.deepEqual(await codes(other), await codes(page));
    await other.reload();
    await settled(other);
    assert.equal(await text(other), typed);

    await other.locator('#add').click();
    await other.getByLabel('Path').fill('../x.md');
    await other.getByRole('button', { name: 'Create' }).click();
    assert.match(await other.locator('dialog .problem').innerText(), /relative path/);
    await other.getByLabel('Path').fill('.cursor/rules/x.mdc');
    await other.getByRole('button', { name: 'Create' }).click();
    await settled(other);
    await other.keyboard.insertText('---\ndescription: x\nalwaysAply: true\n---\n');
    await settled(other);
    assert.deepEqual(await codes(other), ['agent/unknown-key']);
    await other.locator('#rename').click();
    await other.getByLabel('Path').fill('notes/x.md');
    await other.getByRole('button', { name: 'Rename', exact: true }).last().click();
    await settled(other);
    assert.deepEqual(await codes(other), []);
    await other.locator('#remove').click();
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await settled(other);
    assert.deepEqual(await codes(other), await codes(page));
    assert.deepEqual(other.complaints, []);
    return page;
  },

  async 'a damaged link shows an example and says so'() {
    for (const damage of ['#code=AAAA', '#code=%%%', '#code=']) {
      const page = await open(`${start}${damage}`);
      assert.match(await page.locator('#notice').innerText(), /This link can’t be read/);
      assert.deepEqual(await codes(page), EXAMPLES.skill);
      await page.context().close();
    }
  },

  async 'rules are explained in the page'() {
    const page = await open();
    await page.getByRole('button', { name: 'Explain agent/front-matter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    assert.ok((await dialog.innerText()).length > 300);
    await accessible(page, 'the page of a rule');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    return page;
  },

  async 'tokens are counted exactly on request'() {
    const page = await open();
    assert.ok(!page.loaded.some((url) => url.includes('tokenizers')), 'not before');
    await page.getByRole('button', { name: 'Count exactly' }).click();
    await page.getByText(/^exactly \d+ for .*Codex/).waitFor({ timeout: 60_000 });
    return page;
  },

  async 'settings of the workspace apply, and wrong ones are reported'() {
    const page = await open();
    await page.locator('#add').click();
    await page.getByLabel('Path').fill('agentmd.toml');
    await page.getByRole('button', { name: 'Create' }).click();
    await settled(page);
    await page.keyboard.insertText('ignore = ["agent/dead-link"]\n');
    await settled(page);
    await page.getByRole('tab', { name: /SKILL/ }).click();
    await settled(page);
    assert.deepEqual(await codes(page), ['agent/front-matter']);
    await page.getByRole('tab', { name: 'agentmd.toml' }).click();
    await page.locator('.cm-content').click();
    await page.keyboard.insertText('x = \n');
    await settled(page);
    assert.match(await page.locator('#notice').innerText(), /agentmd\.toml/);
    return page;
  },

  async 'a long document stays usable'() {
    const page = await open();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+End');
    const words = 'Group the commits by what they change for users, and leave out the rest.\n\n'.repeat(14_000);
    await page.evaluate((words) => navigator.clipboard.writeText(words), words);
    await page.keyboard.press('Control+v');
    await settled(page);
    assert.deepEqual(await codes(page), EXAMPLES.skill);
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('x');
    await settled(page);
    assert.match(await text(page), /^x---/);
    return page;
  },

  async 'after a crash, the text is still there and agentmd starts again'() {
    // The page is told of a crash that didn't happen.
    const before = () => {
      const Real = window.Worker;
      window.Worker = class extends Real {
        postMessage(message) {
          if (window.crash && message.question?.includes('"check"')) {
            window.crash = false;
            this.onmessage({ data: { id: message.id, crash: 'a test' } });
          } else {
            super.postMessage(message);
          }
        }
      };
    };
    const page = await open(start, { before });
    await page.evaluate(() => {
      window.crash = true;
    });
    await line(page, '# Release notes').click();
    await page.keyboard.type('!');
    await settled(page);
    assert.match(await page.locator('#notice').innerText(), /agentmd stopped: a test/);
    await page.keyboard.type('!');
    await settled(page);
    assert.match(await text(page), /!!/);
    assert.deepEqual(await codes(page), EXAMPLES.skill);
    assert.equal(await page.locator('#notice').isHidden(), true);
    return page;
  },

  async 'from a web server, in a narrow window, with forced colours'() {
    const server = createServer((request, response) => {
      const name = new URL(request.url, 'http://localhost').pathname.replace(/^\/docs\//, '');
      try {
        const type = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }[extname(name || '.html')] ?? 'text/html';
        response.setHeader('Content-Type', type);
        response.end(readFileSync(join(folder, name || 'index.html')));
      } catch {
        response.statusCode = 404;
        response.end();
      }
    });
    await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
    const page = await open(`http://127.0.0.1:${server.address().port}/docs/`, { viewport: { width: 420, height: 900 }, colorScheme: 'dark' });
    assert.deepEqual(await codes(page), EXAMPLES.skill);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(width <= 420, `nothing is wider than the window: ${width}`);
    await picture(page, 'playground-narrow');
    await page.emulateMedia({ forcedColors: 'active' });
    await picture(page, 'playground-forced');
    await page.context().close();
    server.close();
  },
};

let failed = 0;
const only = values.only?.split(',');
for (const [name, run] of Object.entries(cases)) {
  if (only && !only.some((part) => name.includes(part))) {
    continue;
  }
  try {
    const page = await run();
    if (page) {
      assert.deepEqual(page.complaints, [], 'the page complained');
      const strange = page.loaded.filter((url) => !url.startsWith('blob:') && !url.startsWith('data:') && !url.startsWith(pathToFileURL(folder).href));
      assert.deepEqual(strange, [], 'the page loaded something else');
      await page.context().close();
    }
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack ?? error}`);
  }
}
await browser.close();
process.exitCode = failed > 0 ? 1 : 0;
