// Writes the catalogue of the messages in src/, from which translations start, to l10n/. With --check, it only compares.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getL10nJson } from '@vscode/l10n-dev';

const root = fileURLToPath(new URL('..', import.meta.url));
const bundle = path.join(root, 'l10n', 'bundle.l10n.json');
const files = readdirSync(path.join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts'));
const contents = files.map((file) => ({ extension: '.ts', contents: readFileSync(path.join(root, 'src', file), 'utf8') }));
const found = Object.entries(await getL10nJson(contents)).sort(([left], [right]) => (left < right ? -1 : 1));
const wanted = `${JSON.stringify(Object.fromEntries(found), undefined, 2)}\n`;
if (existsSync(bundle) && readFileSync(bundle, 'utf8') === wanted) {
  process.exit();
}
if (process.argv.includes('--check')) {
  console.error('l10n/bundle.l10n.json does not have the messages of src/. Run `npm run messages`.');
  process.exit(1);
}
mkdirSync(path.dirname(bundle), { recursive: true });
writeFileSync(bundle, wanted);
