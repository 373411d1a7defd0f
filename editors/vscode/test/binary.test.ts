import assert from 'node:assert/strict';
import { test } from 'node:test';
import { find, isProgramFound, type Machine, type Wanted } from '../src/binary';
import { isOlder, readVersion } from '../src/version';

const minimum = { text: '0.2.0', parts: [0, 2, 0] } as const;

/** A machine with these programs and their output; `!` before the output makes it an error. */
function machine(programs: Record<string, string>, platform: NodeJS.Platform = 'linux'): Machine {
  return {
    platform,
    architecture: 'x64',
    home: platform === 'win32' ? 'C:\\Users\\ada' : '/home/ada',
    environment: { PATH: platform === 'win32' ? 'C:\\bin;D:\\tools' : '/usr/local/bin:/usr/bin' },
    isProgram: (file) => Promise.resolve(file in programs),
    printVersion: (file) => {
      const printed = programs[file] ?? '';
      return printed.startsWith('!') ? Promise.reject(new Error(printed.slice(1))) : Promise.resolve(printed);
    },
  };
}

function wanted(some: Partial<Wanted> = {}): Wanted {
  return { setting: '', folders: ['/work/site'], trusted: true, extension: '/ext', minimum, consents: () => Promise.resolve(true), ...some };
}

test('the workspace comes before the path, and the path before the extension', async () => {
  const programs = {
    '/work/site/.venv/bin/agentmd': 'agentmd 0.4.0\n',
    '/usr/bin/agentmd': 'agentmd 0.3.0\n',
    '/ext/bin/agentmd': 'agentmd 0.2.0\n',
  };
  const origins: string[] = [];
  for (const gone of ['', '/work/site/.venv/bin/agentmd', '/usr/bin/agentmd']) {
    delete (programs as Record<string, string>)[gone];
    const found = await find(machine(programs), wanted());
    assert.ok(isProgramFound(found));
    origins.push(found.origin);
  }
  assert.deepEqual(origins, ['workspace', 'path', 'extension']);
});

test('a program of the workspace runs only with consent, which is asked for by folder', async () => {
  const programs = {
    '/work/site/node_modules/.bin/agentmd': 'agentmd 9.0.0',
    '/work/docs/venv/bin/agentmd': 'agentmd 9.0.0',
    '/work/site/tools/agentmd': 'agentmd 9.0.0',
    '/ext/bin/agentmd': 'agentmd 0.2.0',
  };
  const ran: string[] = [];
  const asked: string[] = [];
  const plain = machine(programs);
  const here: Machine = { ...plain, printVersion: (file) => (ran.push(file), plain.printVersion(file)) };
  const consents = (folder: string, program: string) => (asked.push(`${folder} ${program}`), Promise.resolve(false));
  const folders = ['/work/site', '/work/docs'];
  const found = await find(here, wanted({ folders, consents }));
  assert.ok(isProgramFound(found));
  assert.equal(found.path, '/ext/bin/agentmd');
  assert.deepEqual(ran, ['/ext/bin/agentmd']);
  assert.deepEqual(asked, ['/work/site /work/site/node_modules/.bin/agentmd', '/work/docs /work/docs/venv/bin/agentmd']);
  // A repository can contain settings that name a program in it.
  const set = await find(here, wanted({ folders, consents, setting: './tools/agentmd' }));
  assert.ok(!isProgramFound(set));
  assert.deepEqual(ran, ['/ext/bin/agentmd']);
  const agreed = await find(here, wanted({ folders }));
  assert.ok(isProgramFound(agreed));
  assert.equal(agreed.path, '/work/site/node_modules/.bin/agentmd');
});

test('programs of an untrusted workspace are ignored', async () => {
  const programs = { '/work/site/node_modules/.bin/agentmd': 'agentmd 9.0.0', '/ext/bin/agentmd': 'agentmd 0.2.0' };
  const found = await find(machine(programs), wanted({ trusted: false }));
  assert.ok(isProgramFound(found));
  assert.equal(found.path, '/ext/bin/agentmd');
});

test('folders of the path in an untrusted workspace and relative ones are ignored', async () => {
  const programs = { '/work/site/bin/agentmd': 'agentmd 9.0.0', './bin/agentmd': 'agentmd 9.0.0', 'bin/agentmd': 'agentmd 9.0.0', '/ext/bin/agentmd': 'agentmd 0.2.0' };
  const here = { ...machine(programs), environment: { PATH: './bin:bin::/work/site/bin' } };
  const careful = await find(here, wanted({ trusted: false }));
  assert.ok(isProgramFound(careful));
  assert.equal(careful.path, '/ext/bin/agentmd');
  const trusting = await find(here, wanted());
  assert.ok(isProgramFound(trusting));
  assert.equal(trusting.path, '/work/site/bin/agentmd');
});

test('programs are found in every workspace folder, and an npm package is started without its script', async () => {
  const programs = { '/work/docs/node_modules/.bin/agentmd': 'agentmd 0.3.0', '/work/docs/node_modules/@agentmd/linux-x64/bin/agentmd': 'agentmd 0.3.0' };
  const found = await find(machine(programs), wanted({ folders: ['/work/site', '/work/docs'] }));
  assert.ok(isProgramFound(found));
  assert.equal(found.path, '/work/docs/node_modules/@agentmd/linux-x64/bin/agentmd');
  assert.equal(found.origin, 'workspace');
});

test('the folder to which Cargo installs is searched even if it is not in the path', async () => {
  const found = await find(machine({ '/home/ada/.cargo/bin/agentmd': 'agentmd 0.2.0' }), wanted());
  assert.ok(isProgramFound(found));
});

test('if the setting is set, only that program is used', async () => {
  const programs = { '/usr/bin/agentmd': 'agentmd 0.2.0', '/home/ada/b/agentmd': 'agentmd 0.2.1', '/work/site/bin/x': 'agentmd 0.2.2', '/usr/bin/my-agentmd': 'agentmd 0.2.3' };
  const versions: string[] = [];
  for (const setting of ['~/b/agentmd', '${workspaceFolder}/bin/x', './bin/x', 'my-agentmd']) {
    const found = await find(machine(programs), wanted({ setting }));
    assert.ok(isProgramFound(found), setting);
    versions.push(found.version.text);
  }
  assert.deepEqual(versions, ['0.2.1', '0.2.2', '0.2.2', '0.2.3']);
  const missing = await find(machine(programs), wanted({ setting: '/gone/agentmd' }));
  assert.ok(!isProgramFound(missing));
  assert.equal(missing.kind, 'setting');
  assert.match(missing.message, /\/gone\/agentmd/);
});

test('a program that is too old is skipped, and reported if there is no other', async () => {
  const old = { '/usr/local/bin/agentmd': 'agentmd 0.1.9' };
  const other = await find(machine({ ...old, '/usr/bin/agentmd': 'agentmd 0.2.0' }), wanted());
  assert.ok(isProgramFound(other));
  assert.equal(other.path, '/usr/bin/agentmd');
  const found = await find(machine(old), wanted());
  assert.ok(!isProgramFound(found));
  assert.equal(found.kind, 'old');
  assert.match(found.message, /agentmd 0\.1\.9 in '\/usr\/local\/bin\/agentmd' is too old.*0\.2\.0 or newer/);
});

test('a broken program and another program are reported', async () => {
  const broken = await find(machine({ '/usr/bin/agentmd': '!EACCES' }), wanted());
  assert.ok(!isProgramFound(broken));
  assert.match(broken.message, /cannot be run: EACCES/);
  const other = await find(machine({ '/usr/bin/agentmd': 'something 1.2.3' }), wanted());
  assert.ok(!isProgramFound(other));
  assert.match(other.message, /isn't agentmd/);
});

test('without any program the message says what to do', async () => {
  const found = await find(machine({}), wanted());
  assert.ok(!isProgramFound(found));
  assert.equal(found.kind, 'missing');
  assert.match(found.message, /Install it, or choose the program/);
});

test('on Windows, paths and names are in Windows style', async () => {
  const programs = { 'D:\\tools\\agentmd.exe': 'agentmd 0.2.0\r\n' };
  const found = await find(machine(programs, 'win32'), wanted({ folders: ['C:\\site'], extension: 'C:\\ext' }));
  assert.ok(isProgramFound(found));
  assert.equal(found.path, 'D:\\tools\\agentmd.exe');
});

test('versions are compared part by part', () => {
  const version = (text: string) => readVersion(text) ?? assert.fail(text);
  assert.equal(readVersion('agentmd'), undefined);
  assert.equal(version('agentmd 1.2.3-rc.1 (abc)').text, '1.2.3-rc.1');
  assert.ok(isOlder(version('0.9.12'), version('0.10.0')));
  assert.ok(isOlder(version('0.10.0'), version('1.0.0')));
  assert.ok(!isOlder(version('1.0.0'), version('1.0.0')));
  assert.ok(!isOlder(version('2.0.0'), version('1.9.9')));
});
