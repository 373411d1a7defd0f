// Runs the built extension in a host that answers like Zed, and starts the command that it returns.
//   node drive.mjs COMPONENT PROGRAM
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transpile } from '@bytecodealliance/jco-transpile';
import { WASIShim } from '@bytecodealliance/preview2-shim/instantiation';

const [component, program] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(dirname(component), 'run-'));
const { files } = await transpile(component, { name: 'agentmd', instantiation: 'async', outDir: folder });
for (const [path, bytes] of Object.entries(files)) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
}
const { instantiate } = await import(pathToFileURL(join(folder, 'agentmd.js')).href);

/** Starts the extension in a worktree with these settings, environment, and programs in its PATH. */
async function start({ settings = {}, programs = {}, env = [] }) {
  class Worktree {
    id() {
      return 1n;
    }
    rootPath() {
      return '/home/ada/project';
    }
    readTextFile() {
      throw 'no such file';
    }
    which(name) {
      return programs[name];
    }
    shellEnv() {
      return env;
    }
  }
  class Project {
    worktreeIds() {
      return [1n];
    }
  }
  class KeyValueStore {}
  const asked = [];
  const imports = {
    ...new WASIShim().getImportObject(),
    worktree: { default: Worktree },
    project: { default: Project },
    'key-value-store': { default: KeyValueStore },
    'get-settings': {
      default(location, category, key) {
        asked.push([location?.worktreeId, category, key]);
        return JSON.stringify(settings);
      },
    },
  };
  // The extension can't call anything else, because the host provides nothing else.
  const extension = await instantiate((path) => WebAssembly.compile(readFileSync(join(folder, path))), imports);
  extension.initExtension();
  return { extension, worktree: new Worktree(), asked };
}

/** The error of a function of the extension. */
function failure(call) {
  try {
    call();
  } catch (error) {
    return error.payload ?? error;
  }
  return assert.fail('it did not fail');
}

const cases = {
  async 'the program in the PATH is started as a server'() {
    const env = [['PATH', '/usr/bin']];
    const { extension, worktree, asked } = await start({ programs: { agentmd: '/usr/bin/agentmd' }, env });
    assert.deepEqual(extension.languageServerCommand('agentmd', worktree), { command: '/usr/bin/agentmd', args: ['server'], env });
    assert.deepEqual(asked, [[1n, 'lsp', 'agentmd']]);
  },

  async 'settings name another program, its arguments and its environment'() {
    const settings = { binary: { path: '/opt/agentmd', arguments: ['server', '--log'], env: { AGENTMD_LOG: 'debug', HOME: '/tmp' } } };
    const env = [['HOME', '/home/ada'], ['LANG', 'C']];
    const { extension, worktree } = await start({ settings, programs: { agentmd: '/usr/bin/agentmd' }, env });
    const command = extension.languageServerCommand('agentmd', worktree);
    assert.deepEqual([command.command, command.args], ['/opt/agentmd', ['server', '--log']]);
    assert.deepEqual(Object.fromEntries(command.env), { LANG: 'C', AGENTMD_LOG: 'debug', HOME: '/tmp' });
    assert.equal(command.env.length, 3);
  },

  async 'without a program, the message says what to do'() {
    const { extension, worktree } = await start({});
    assert.match(failure(() => extension.languageServerCommand('agentmd', worktree)), /not in the PATH.*lsp\.agentmd\.binary\.path/);
  },

  async 'settings and options reach the server'() {
    const settings = { settings: { ignore: ['agent/dead-link'] }, initialization_options: { a: 1 } };
    const { extension, worktree } = await start({ settings });
    assert.deepEqual(JSON.parse(extension.languageServerWorkspaceConfiguration('agentmd', worktree)), { agentmd: { ignore: ['agent/dead-link'] } });
    assert.deepEqual(JSON.parse(extension.languageServerInitializationOptions('agentmd', worktree)), { a: 1 });
    const bare = await start({});
    assert.deepEqual(JSON.parse(bare.extension.languageServerWorkspaceConfiguration('agentmd', bare.worktree)), { agentmd: null });
    assert.equal(bare.extension.languageServerInitializationOptions('agentmd', bare.worktree), undefined);
  },

  async 'the returned command is a language server'() {
    const { extension, worktree } = await start({ programs: { agentmd: program }, env: Object.entries(process.env) });
    const { command, args, env } = extension.languageServerCommand('agentmd', worktree);
    const server = spawn(command, args, { env: Object.fromEntries(env), stdio: ['pipe', 'pipe', 'inherit'] });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { processId: process.pid, rootUri: null, capabilities: {} } });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    let answer = '';
    for await (const part of server.stdout) {
      answer += part;
      if (answer.includes('"serverInfo"')) {
        break;
      }
    }
    server.kill();
    assert.match(answer, /"name":"agentmd"/);
  },
};

let failed = 0;
for (const [name, run] of Object.entries(cases)) {
  try {
    await run();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name}\n${error.stack ?? error}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
