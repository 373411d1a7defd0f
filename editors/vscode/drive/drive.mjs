// Drives the packaged extension in VS Code's server build, in Chromium, as a person would, and leaves pictures.
//   node drive/drive.mjs --code-server BIN --vsix FILE --program AGENTMD [--pictures DIR] [--only NAME,…] [--chromium BIN]
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { steps } from './steps.mjs';
import { Workbench } from './workbench.mjs';

const given = { chromium: '/usr/bin/chromium', pictures: '', only: '' };
for (let at = 2; at < process.argv.length; at += 2) {
  given[process.argv[at].replace(/^--/, '')] = process.argv[at + 1];
}
const here = path.dirname(fileURLToPath(import.meta.url));
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'agentmd-drive-'));
const folder = path.join(scratch, 'project');
const user = path.join(scratch, 'user');
fs.cpSync(path.join(here, 'workspace'), folder, { recursive: true });
fs.mkdirSync(path.join(user, 'User'), { recursive: true });
// Where a program lies is a setting of the machine that the server of VS Code runs on.
const settings = path.join(user, 'Machine', 'settings.json');
fs.mkdirSync(path.dirname(settings));
fs.writeFileSync(settings, JSON.stringify({ 'agentmd.server.path': path.resolve(given.program) }));
fs.writeFileSync(
  path.join(user, 'User', 'settings.json'),
  JSON.stringify({
    'chat.disableAIFeatures': true,
    'editor.hover.delay': 100,
    'editor.minimap.enabled': false,
    'editor.wordBasedSuggestions': 'off',
    'explorer.confirmDragAndDrop': false,
    'extensions.autoUpdate': false,
    'extensions.ignoreRecommendations': true,
    'git.enabled': false,
    'security.workspace.trust.enabled': false,
    'telemetry.telemetryLevel': 'off',
    'update.mode': 'none',
    'window.commandCenter': false,
    'workbench.colorTheme': 'Default Light Modern',
    'workbench.layoutControl.enabled': false,
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'workbench.startupEditor': 'none',
    'workbench.tips.enabled': false,
    '[markdown]': { 'editor.quickSuggestions': { other: 'on', comments: 'on', strings: 'on' } },
  }),
);

const common = ['--user-data-dir', user, '--extensions-dir', path.join(scratch, 'extensions'), '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust', '--disable-getting-started-override'];
const environment = { ...process.env, XDG_CONFIG_HOME: scratch };
const installed = spawnSync(given['code-server'], [...common, '--install-extension', path.resolve(given.vsix)], { encoding: 'utf8', env: environment });
if (installed.status !== 0) {
  console.error(installed.stdout, installed.stderr);
  process.exit(2);
}

const port = await new Promise((resolve) => {
  const probe = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => resolve(port));
  });
});
const server = spawn(given['code-server'], [...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`], { stdio: 'ignore', env: environment });
let browser;
let failed = 0;
let done = 0;
try {
  const until = Date.now() + 120_000;
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false))) {
    if (Date.now() > until) {
      throw new Error('VS Code did not start within two minutes');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  browser = await chromium.launch({ executablePath: given.chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
  const context = await browser.newContext({ viewport: { width: 1100, height: 680 }, permissions: ['clipboard-read', 'clipboard-write'] });
  const workbench = new Workbench(await context.newPage(), { folder, settings, pictures: given.pictures, program: path.resolve(given.program), code: server.pid });
  await workbench.start(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  for (const [name, step] of Object.entries(steps)) {
    if (given.only && !given.only.split(',').includes(name)) {
      continue;
    }
    const started = Date.now();
    try {
      const said = await step(workbench);
      done += 1;
      console.log(`ok   ${name} (${Date.now() - started} ms)${said ? ` ${said}` : ''}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL ${name} (${Date.now() - started} ms) ${error.message.split('\n').slice(0, 4).join(' ')}`);
      await workbench.page.screenshot({ path: path.join(os.tmpdir(), `agentmd-drive-${name}.png`) });
    }
    await workbench.tidy();
  }
} catch (error) {
  failed += 1;
  console.log(`FAIL ${error.message}`);
} finally {
  if (failed > 0) {
    for (const file of fs.readdirSync(user, { recursive: true }).filter((file) => file.endsWith('agentmd.log'))) {
      console.log(`--- ${file}\n${fs.readFileSync(path.join(user, file), 'utf8').slice(-4000)}`);
    }
  }
  await browser?.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => {
    server.once('exit', resolve);
    setTimeout(resolve, 5000);
  });
  fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}
console.log(`${done} passed, ${failed} failed`);
process.exit(failed === 0 && done > 0 ? 0 : 1);
