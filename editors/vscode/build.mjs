// Bundles the extension into dist/extension.js, and its tests into dist/test/.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

process.chdir(fileURLToPath(new URL('.', import.meta.url)));
const tests = process.argv.includes('--tests');
const common = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

if (tests) {
  rmSync('dist/test', { recursive: true, force: true });
  const entryPoints = readdirSync('test').filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`);
  await build({ ...common, entryPoints, outdir: 'dist/test', outExtension: { '.js': '.cjs' }, format: 'cjs', packages: 'external', sourcemap: 'inline' });
} else {
  rmSync('dist', { recursive: true, force: true });
  await build({ ...common, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', format: 'cjs', external: ['vscode'], minify: true });
  // The walkthrough uses some pictures from the docs; the other pictures aren't packaged.
  mkdirSync('dist/pictures', { recursive: true });
  for (const [, name] of readFileSync('package.json', 'utf8').matchAll(/"dist\/pictures\/(.+?)"/g)) {
    cpSync(`../../docs/pictures/${name}`, `dist/pictures/${name}`);
  }
  const licenses = ['LICENSE-MIT', 'LICENSE-APACHE'].map((name) => readFileSync(`../../${name}`, 'utf8'));
  writeFileSync('LICENSE.txt', `agentmd is licensed under either of these two licenses, as you like.\n\n${licenses.join(`\n${'-'.repeat(80)}\n\n`)}`);
}
