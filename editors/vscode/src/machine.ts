import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Machine } from './binary';

/** The machine that the extension runs on. */
export const machine: Machine = {
  platform: process.platform,
  architecture: process.arch,
  home: homedir(),
  environment: process.env,
  async isProgram(file) {
    try {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile();
    } catch {
      return false;
    }
  },
  printVersion(file) {
    return new Promise((resolve, reject) => {
      execFile(file, ['--version'], { timeout: 10_000, windowsHide: true }, (error, stdout) => (error ? reject(error) : resolve(stdout)));
    });
  },
};
