// Writes the server's settings from its schema to package.json, and their descriptions to package.nls.json. With --check, it only
// compares.
import { readFileSync, writeFileSync } from 'node:fs';

const here = (path) => new URL(path, import.meta.url);
/** The prefix of the keys of these descriptions; all other keys are written by hand. */
const PREFIX = 'setting.';

/** A copy of a schema without references or keywords that VS Code doesn't support. Its descriptions move to `catalogue`. */
function inline(schema, definitions, catalogue, key) {
  if (Array.isArray(schema)) {
    return schema.map((item) => inline(item, definitions, catalogue, key));
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const { $ref, description, ...rest } = schema;
  const found = $ref ? { ...inline(definitions[$ref.replace('#/$defs/', '')], definitions, catalogue, key) } : {};
  if (description) {
    found.markdownDescription = `%${key}%`;
    catalogue[key] = description;
  }
  for (const [name, value] of Object.entries(rest)) {
    found[name] = name === 'properties'
      ? Object.fromEntries(Object.entries(value).map(([property, its]) => [property, inline(its, definitions, catalogue, `${key}.${property}`)]))
      : inline(value, definitions, catalogue, `${key}.${name}`);
  }
  return found;
}

/** VS Code's settings for the properties of the server's schema, and their descriptions. */
export function fromSchema(schema) {
  const catalogue = {};
  const settings = Object.entries(schema.properties).map(([name, property], order) => [`agentmd.${name}`, { ...inline(property, schema.$defs ?? {}, catalogue, `${PREFIX}${name}`), scope: 'window', order }]);
  return { settings: Object.fromEntries(settings), catalogue };
}

/** The package with these settings instead of its own. */
export function merged(manifest, settings) {
  const own = manifest.contributes.configuration.find((part) => part.title === '%configuration.server%');
  return { ...manifest, contributes: { ...manifest.contributes, configuration: [{ title: '%configuration.checking%', properties: settings }, own] } };
}

/** The catalogue with these descriptions of settings instead of its own. */
export function described(catalogue, descriptions) {
  const others = Object.entries(catalogue).filter(([key]) => !key.startsWith(PREFIX));
  return { ...Object.fromEntries(others), ...descriptions };
}

const schema = JSON.parse(readFileSync(here('../../../docs/agentmd.schema.json'), 'utf8'));
const { settings, catalogue } = fromSchema(schema);
const changes = { '../package.json': (text) => merged(text, settings), '../package.nls.json': (text) => described(text, catalogue) };
for (const [file, change] of Object.entries(changes)) {
  const text = readFileSync(here(file), 'utf8');
  const wanted = `${JSON.stringify(change(JSON.parse(text)), undefined, 2)}\n`;
  if (text === wanted) {
    continue;
  }
  if (process.argv.includes('--check')) {
    console.error(`The settings in ${file.slice(3)} are not those of docs/agentmd.schema.json. Run \`npm run settings\`.`);
    process.exit(1);
  }
  writeFileSync(here(file), wanted);
}
