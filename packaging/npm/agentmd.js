#!/usr/bin/env node
// Starts the program in this platform's package.
'use strict';

const { spawn } = require('node:child_process');

const platforms = require('./platforms.json');

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'agentmd.exe' : 'agentmd';
let program;
try {
  program = require.resolve(`@agentmd/${platform}/bin/${name}`);
} catch {
  const why = platforms.includes(platform)
    ? `the package @agentmd/${platform} is not installed. Install again with optional dependencies (without \`--omit=optional\`).`
    : `there is no package for ${platform}. Build the program with \`cargo install\`: https://github.com/agentmd/agentmd/blob/main/docs/install.md`;
  console.error(`agentmd: ${why}`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
// The terminal sends Ctrl-C to both processes. The program finishes its work, and this one waits for it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('error', (error) => {
  console.error(`agentmd: ${error.message}`);
  process.exit(2);
});
child.on('exit', (status, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(status ?? 2);
  }
});
