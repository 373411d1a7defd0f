// Parses strings with the packages that clients use for front matter: an array of strings on stdin, an array of results on
// stdout. The first argument is the name of the reader, the second the folder that contains the packages.
const { createRequire } = require('module');
const load = createRequire(process.argv[3] + '/');
const readers = {
  'gray-matter': (text) => load('gray-matter')('---\n' + text + '---\n', {}).data,
  'js-yaml-json': (text) => {
    const yaml = load('js-yaml');
    return yaml.load(text, { schema: yaml.JSON_SCHEMA }) || {};
  },
  yaml: (text) => {
    const document = load('yaml').parseDocument(text);
    if (document.errors.length > 0) throw document.errors[0];
    return document.toJS() ?? {};
  },
};
const plain = (value) => {
  if (value instanceof Date || Array.isArray(value)) return 'list';
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'object') return 'mapping';
  return typeof value === 'string' ? 's:' + value : typeof value === 'boolean' ? String(value) : 'number';
};
const read = readers[process.argv[2]];
const results = JSON.parse(require('fs').readFileSync(0, 'utf8')).map((text) => {
  try {
    const value = read(text);
    if (typeof value !== 'object' || Array.isArray(value)) return process.argv[2] === 'yaml' ? null : {};
    return Object.fromEntries(Object.entries(value).map(([key, value]) => [key, plain(value)]));
  } catch (error) {
    return null;
  }
});
process.stdout.write(JSON.stringify(results));
