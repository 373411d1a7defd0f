#!/usr/bin/env node
// Starts the program that the package for this platform holds.
'use strict';

const { spawnSync } = require('node:child_process');

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === 'win32' ? 'agentmd.exe' : 'agentmd';
let program;
try {
  program = require.resolve(`@agentmd/${platform}/bin/${name}`);
} catch {
  console.error(`agentmd: there is no package for ${platform}. Build the program instead: https://github.com/agentmd/agentmd#install`);
  process.exit(2);
}
const run = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (run.error) {
  console.error(`agentmd: ${run.error.message}`);
  process.exit(2);
}
if (run.signal) {
  process.kill(process.pid, run.signal);
}
process.exit(run.status ?? 2);
