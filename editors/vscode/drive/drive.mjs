// Tests the packaged extension in VS Code's server build, in Chromium, as a user would, and takes pictures.
//   node drive/drive.mjs --code-server BIN --vsix FILE --program AGENTMD [--pictures DIR] [--only NAME,…] [--chromium BIN]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { start } from './host.mjs';
import { steps } from './steps.mjs';
import { Workbench } from './workbench.mjs';

const given = { chromium: '/usr/bin/chromium', pictures: '', only: '' };
for (let at = 2; at < process.argv.length; at += 2) {
  given[process.argv[at].replace(/^--/, '')] = process.argv[at + 1];
}
const here = path.dirname(fileURLToPath(import.meta.url));
const packed = fs.mkdtempSync(path.join(os.tmpdir(), 'agentmd-companion-'));
const companion = path.join(packed, 'companion.vsix');
const vsce = path.join(here, '..', 'node_modules', '.bin', 'vsce');
execFileSync(vsce, ['package', '--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', companion], { cwd: path.join(here, 'companion'), stdio: 'ignore' });

let host;
let failed = 0;
let done = 0;
try {
  host = await start({ ...given, extensions: [given.vsix, companion], workspace: path.join(here, 'workspace') });
  const workbench = new Workbench(host.page, { ...host, pictures: given.pictures });
  await workbench.visit(host.folder);
  await workbench.tidy();
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
      await host.page.screenshot({ path: path.join(os.tmpdir(), `agentmd-drive-${name}.png`), scale: 'css' });
    }
    await workbench.tidy();
  }
} catch (error) {
  failed += 1;
  console.log(`FAIL ${error.message}`);
} finally {
  if (failed > 0) {
    host?.logs().forEach((log) => console.log(log));
  }
  await host?.stop();
  fs.rmSync(packed, { recursive: true, force: true });
}
console.log(`${done} passed, ${failed} failed`);
process.exit(failed === 0 && done > 0 ? 0 : 1);
