// Writes tests/globs/table.jsonl: what the libraries that clients use make of generated globs and
// paths. Run it where minimatch, picomatch, ignore and monaco-editor are installed:
//
//   npm install minimatch@11 picomatch@4 ignore@7 monaco-editor@0.57
//   node scripts/glob_table.mjs > tests/globs/table.jsonl
//
// The first line has the paths and the versions; every other line is a dialect, a glob, and the
// numbers of the paths that it matches.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.cwd(), 'x.js'));
const { minimatch } = require('minimatch');
const picomatch = require('picomatch');
const ignore = require('ignore');
const code = await import(pathToFileURL(path.resolve('node_modules/monaco-editor/esm/vs/base/common/glob.js')).href);

// The same numbers in every run.
let state = 20261123;
const random = (most) => {
  state = (state * 1103515245 + 12345) & 0x7fffffff;
  return (state >> 8) % most;
};
const pick = (list) => list[random(list.length)];

const names = ['a', 'b', 'src', 'app', 'lib', 'docs', '.github', '.env', 'test', 'A', 'é', 'x y', 'node_modules'];
const files = ['a.ts', 'b.js', 'a.test.ts', 'index.tsx', 'README.md', '.eslintrc', '.a.ts', 'b', 'A.TS', '日本.md', 'a1.ts', 'a-b.ts', 'x.d.ts', '[a].ts', '[slug].tsx', '{a}.ts', 'a+b.ts', '(g).ts', '!a.ts', '#a.ts'];
const paths = new Set(['a', 'src', 'a.ts', 'src/a.ts', 'src/app/a.ts', 'src/app/lib/index.tsx', '.github/a.ts', 'src/.env/a.ts', 'src/.a.ts', 'a/b', 'a/b/c', 'docs/README.md']);
while (paths.size < 110) {
  const folders = Array.from({ length: random(4) }, () => pick(names));
  paths.add([...folders, pick(files)].join('/'));
}
const all = [...paths];

const words = ['a', 'b', 'src', 'app', 'lib', 'docs', '.github', 'test', 'README.md', 'a.ts', 'index.tsx', '日本.md', 'x y'];
const stars = ['*', '*.ts', '*.js', '*.{ts,tsx}', '*.test.ts', 'a*', '*b', 'a*.ts', '?.ts', 'a?.ts', '??', '*.*', '.*', '.?*', '*.md', 'A.ts'];
const classes = ['[ab].ts', '[!a].ts', '[^a].ts', '[a-c].ts', 'a[0-9].ts', '[.]a.ts', '[a', '[]a].ts', '[!-z].ts', 'a[-+]b.ts', '[slug].tsx', '[[]a].ts', '[z-a].ts', '[A-Z].ts', '[\\]a].ts'];
const braces = ['{a,b}.ts', '{a,b}', '{src,lib}', '{a.ts,b.js}', '{a}.ts', '{a,{b,x.d}}.ts', 'a{1..3}.ts', '{a..c}.ts', 'a.{ts,test.ts}', '{,a}', '*.{js,{ts,tsx}}', '{*,.*}', '{a,b', 'a}.ts', 'x.{d,}.ts'];
const groups = ['@(a|b).ts', '?(a).ts', '+(a|b).ts', '*(a|b).ts', 'a@(.test|.d).ts'];
const escapes = ['\\*', '\\[a\\].ts', 'a\\.ts', '\\!a.ts', '\\#a.ts', '\\{a\\}.ts'];
const part = () => pick([words, words, stars, stars, stars, classes, braces, braces, groups, escapes, ['**'], ['**'], ['**'], ['**a', 'a**', '***']][random(14)]);

const globs = new Set(['', '*', '**', '**/*', '**/**', '/**', '*/**', '**/a.ts', 'src/**', 'src/**/*', '/src/**', './src/**', 'src/', '/a.ts', '**/.*', '**/.*/**', '!**/*.ts', '!a.ts', '#a.ts', 'src/**/a.ts', '**/src/**', 'src//a.ts', 'src/./a.ts', 'src/../a.ts', '{src,lib}/**/*.{ts,tsx}', '{src/app,lib}/*.ts', '**/{a,b}.ts', '**/*.{ts,js}', '{**/a.ts,b/**}', '*.ts', '**.ts', 'src/*.ts', 'src/**.ts', '**/', 'a/', 'src/a.ts/', '**/node_modules/**', '**/docs/', '{**/*.ts,**/*.md}', ' *.ts', '*.ts ', 'README*', '**/README*', 'components/**/*', '**/*.test.*', 'src/**/[!.]*', 'SRC/**', 'é/**', '!(a).ts', '!(a|b)', 'src/!(app)/**']);
while (globs.size < 900) {
  const length = 1 + random(4);
  let glob = Array.from({ length }, part).join('/');
  const dice = random(40);
  if (dice === 0) glob = '/' + glob;
  if (dice === 1) glob = './' + glob;
  if (dice === 2) glob = '!' + glob;
  if (dice === 3) glob += '/';
  globs.add(glob);
}

const version = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
const versions = Object.fromEntries(['minimatch', 'picomatch', 'ignore', 'monaco-editor'].map((name) => [name, version(name)]));
const attempt = (run) => {
  try {
    return run();
  } catch {
    return false;
  }
};
const dialects = {
  minimatch: (glob, file) => minimatch(file, glob),
  'minimatch-dot': (glob, file) => minimatch(file, glob, { dot: true }),
  'picomatch-dot': (glob, file) => picomatch(glob, { dot: true })(file),
  gitignore: (glob, file) => ignore().add([glob]).ignores(file),
  vscode: (glob, file) => code.match(glob, file, { ignoreCase: true }),
};
console.log(JSON.stringify({ versions, paths: all }));
for (const [dialect, matches] of Object.entries(dialects)) {
  for (const glob of globs) {
    if (glob === '' || (dialect.startsWith('picomatch') && !attempt(() => picomatch(glob)))) continue;
    const found = all.flatMap((file, index) => (attempt(() => matches(glob, file)) ? [index] : []));
    console.log(JSON.stringify([dialect, glob, found]));
  }
}
