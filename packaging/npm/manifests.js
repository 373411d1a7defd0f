// Writes the package.json of the two packages: node manifests.js VERSION PLATFORM FOLDER
'use strict';

const { writeFileSync } = require('node:fs');
const path = require('node:path');

const platforms = require('./platforms.json');

const [version, platform, folder] = process.argv.slice(2);
if (!platforms.includes(platform)) {
  console.error(`there is no package for ${platform}; there is one for ${platforms.join(', ')}`);
  process.exit(2);
}
const [os, cpu] = platform.split('-');
const both = {
  version,
  license: 'MIT OR Apache-2.0',
  repository: { type: 'git', url: 'git+https://github.com/agentmd/agentmd.git' },
};
const write = (name, manifest) => writeFileSync(path.join(folder, name, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);

write('platform', {
  name: `@agentmd/${platform}`,
  description: `The program agentmd for ${platform}`,
  ...both,
  os: [os],
  cpu: [cpu],
  files: ['bin', 'LICENSE-*'],
  preferUnplugged: true,
});
write('agentmd', {
  name: 'agentmd',
  description: 'A language server and command line for agent markdown',
  ...both,
  bin: { agentmd: 'agentmd.js' },
  files: ['agentmd.js', 'platforms.json', 'LICENSE-*'],
  engines: { node: '>=18' },
  // npm installs the one whose `os` and `cpu` match the machine.
  optionalDependencies: Object.fromEntries(platforms.map((name) => [`@agentmd/${name}`, version])),
});
