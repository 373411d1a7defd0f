// Bundles the extension into dist/extension.js, and its tests into dist/test/.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
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
  // The pictures of the walkthrough are those of the documentation.
  mkdirSync('dist/pictures', { recursive: true });
  const pictures = '../../docs/pictures';
  for (const name of existsSync(pictures) ? readdirSync(pictures).filter((name) => name.startsWith('vscode-')) : []) {
    cpSync(`${pictures}/${name}`, `dist/pictures/${name}`);
  }
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    cpSync(`../../${name}`, `dist/${name}`);
  }
}
