// Builds the page into the folder --out: scripts, style, examples, and the WebAssembly of each --wasm NAME=FILE.
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const { values } = parseArgs({ options: { out: { type: 'string' }, wasm: { type: 'string', multiple: true, default: [] } } });
const out = resolve(values.out ?? 'dist');
const modules = values.wasm.map((pair) => [pair.slice(0, pair.indexOf('=')), resolve(pair.slice(pair.indexOf('=') + 1))]);
process.chdir(fileURLToPath(new URL('.', import.meta.url)));

/** The text files of a folder, by their path in it. */
function files(folder) {
  const all = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = all.map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/')).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** The licences of the packages in some bundles. */
function licenses(bundles) {
  const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const names = [...new Set(inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1]).filter(Boolean))].sort();
  const texts = names.map((name) => {
    const file = readdirSync(`node_modules/${name}`).find((file) => /^licen[cs]e/i.test(file));
    return `${name}\n\n${file ? readFileSync(`node_modules/${name}/${file}`, 'utf8').trim() : JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).license}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

const list = JSON.parse(readFileSync('examples/examples.json', 'utf8'));
const examples = list.map((example) => {
  const found = files(`examples/${example.id}`);
  // In the order in which they are listed, then the rest.
  const order = [...new Set([...(example.order ?? [example.active]), ...Object.keys(found)])];
  return { id: example.id, title: example.title, active: example.active, clients: example.clients ?? [], files: Object.fromEntries(order.map((path) => [path, found[path]])) };
});

const common = { bundle: true, minify: true, format: 'iife', target: ['chrome123', 'firefox120', 'safari17.5'], legalComments: 'none', logLevel: 'warning' };
const worker = await build({ ...common, entryPoints: ['page/src/worker.ts'], write: false, metafile: true });
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const page = await build({
  ...common,
  format: 'esm',
  metafile: true,
  entryPoints: ['page/src/main.ts'],
  outfile: join(out, 'playground.js'),
  define: { WORKER: JSON.stringify(worker.outputFiles[0].text), EXAMPLES: JSON.stringify(examples) },
});
// A module script isn't loaded from a local folder, so this is an ordinary one.
const script = readFileSync(join(out, 'playground.js'), 'utf8');
writeFileSync(join(out, 'playground.js'), `(async()=>{${script}})();\n`);
await build({ entryPoints: ['page/playground.css'], outfile: join(out, 'playground.css'), minify: true, logLevel: 'warning', target: common.target });
const icon = `data:image/svg+xml;base64,${readFileSync('../editors/vscode/icon.svg').toString('base64')}`;
writeFileSync(join(out, 'index.html'), readFileSync('page/index.html', 'utf8').replaceAll('%ICON%', icon));
writeFileSync(join(out, 'LICENSES.txt'), licenses([page, worker]));
for (const [name, file] of modules) {
  const packed = gzipSync(readFileSync(file), { level: 9 });
  writeFileSync(join(out, `${name}.js`), `(globalThis.AGENTMD??={}).${name}="${packed.toString('base64')}";\n`);
}
for (const name of readdirSync(out)) {
  console.log(`${String(statSync(join(out, name)).size).padStart(9)}  ${name}`);
}
