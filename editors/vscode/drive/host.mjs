// VS Code's server build with the packaged extension, and Chromium to use it. `stop` ends and removes everything.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { provide } from './provider.mjs';

/** Settings for a quiet window. */
const QUIET = {
  'breadcrumbs.enabled': false,
  'chat.disableAIFeatures': true,
  'editor.fontFamily': "'JetBrains Mono', monospace",
  'editor.fontLigatures': false,
  'editor.fontSize': 13,
  'editor.hover.above': false,
  'editor.hover.delay': 100,
  'editor.lightbulb.enabled': 'off',
  'editor.minimap.enabled': false,
  'editor.stickyScroll.enabled': false,
  'editor.unicodeHighlight.ambiguousCharacters': false,
  'editor.wordBasedSuggestions': 'off',
  'explorer.confirmDragAndDrop': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'security.workspace.trust.banner': 'never',
  'security.workspace.trust.enabled': false,
  'security.workspace.trust.startupPrompt': 'never',
  'terminal.integrated.fontSize': 8,
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.stickyScroll.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.commandCenter': false,
  'workbench.activityBar.location': 'hidden',
  'workbench.colorTheme': 'Default Light Modern',
  'workbench.layoutControl.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

function freePort() {
  return new Promise((resolve) => {
    const probe = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

/** Starts everything. `given`: `code-server`, `chromium`, `program`, `extensions` (vsix files), `workspace` (a folder to copy). */
export async function start(given) {
  const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'agentmd-drive-'));
  const folder = path.join(scratch, 'project');
  const user = path.join(scratch, 'user');
  // Where Cargo would install it.
  const program = path.join(scratch, '.cargo', 'bin', 'agentmd');
  fs.cpSync(given.workspace, folder, { recursive: true });
  for (const each of ['User', 'Machine']) {
    fs.mkdirSync(path.join(user, each), { recursive: true });
  }
  fs.mkdirSync(path.dirname(program), { recursive: true });
  fs.copyFileSync(given.program, program);
  fs.chmodSync(program, 0o755);
  const settings = { user: path.join(user, 'User', 'settings.json'), machine: path.join(user, 'Machine', 'settings.json') };
  fs.writeFileSync(settings.user, JSON.stringify(QUIET));
  fs.writeFileSync(settings.machine, '{}');

  const common = ['--user-data-dir', user, '--extensions-dir', path.join(scratch, 'extensions'), '--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'];
  const provider = await provide();
  const environment = { ...process.env, ...provider.environment, XDG_CONFIG_HOME: scratch, HOME: scratch };
  for (const extension of given.extensions) {
    const installed = spawnSync(given['code-server'], [...common, '--install-extension', path.resolve(extension)], { encoding: 'utf8', env: environment });
    if (installed.status !== 0) {
      throw new Error(`${extension} cannot be installed: ${installed.stdout}${installed.stderr}`);
    }
  }
  const port = await freePort();
  const server = spawn(given['code-server'], [...common, '--auth', 'none', '--bind-addr', `127.0.0.1:${port}`], { stdio: 'ignore', env: environment });
  const until = Date.now() + 120_000;
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false))) {
    if (Date.now() > until) {
      throw new Error('VS Code did not start within two minutes');
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const browser = await chromium.launch({ executablePath: given.chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...(given.debug ? [`--remote-debugging-port=${given.debug}`] : [])], env: process.env });
  const context = await browser.newContext({ viewport: { width: 920, height: 800 }, deviceScaleFactor: 2, permissions: ['clipboard-read', 'clipboard-write'] });
  return {
    page: await context.newPage(),
    address: `http://127.0.0.1:${port}/`,
    scratch,
    folder,
    user,
    settings,
    program,
    code: server.pid,
    environment,
    provider,
    logs() {
      return fs.readdirSync(user, { recursive: true }).filter((file) => file.endsWith('agentmd.log')).map((file) => `--- ${file}\n${fs.readFileSync(path.join(user, file), 'utf8').slice(-4000)}`);
    },
    async stop() {
      await browser.close();
      provider.stop();
      server.kill('SIGTERM');
      await new Promise((resolve) => {
        server.once('exit', resolve);
        setTimeout(resolve, 5000);
      });
      fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
