// Writes the settings of the server, as its schema describes them, into package.json. With --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs';

const here = (path) => new URL(path, import.meta.url);

/** A schema without references and without keywords that VS Code doesn't support. */
function inline(schema, definitions) {
  if (Array.isArray(schema)) {
    return schema.map((item) => inline(item, definitions));
  }
  if (typeof schema !== 'object' || schema === null) {
    return schema;
  }
  const { $ref, description, ...rest } = schema;
  const target = $ref ? inline(definitions[$ref.replace('#/$defs/', '')], definitions) : {};
  const found = { ...target };
  if (description) {
    found.markdownDescription = description;
  }
  for (const [key, value] of Object.entries(rest)) {
    found[key] = key === 'properties' ? Object.fromEntries(Object.entries(value).map(([name, property]) => [name, inline(property, definitions)])) : inline(value, definitions);
  }
  return found;
}

/** VS Code's settings for the properties of the server's schema. */
export function fromSchema(schema) {
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, property], order) => [`agentmd.${name}`, { ...inline(property, schema.$defs ?? {}), scope: 'window', order }]),
  );
}

/** The package with its settings replaced by these. */
export function merged(manifest, schema) {
  const [own] = manifest.contributes.configuration.filter((part) => part.title === 'Server');
  return { ...manifest, contributes: { ...manifest.contributes, configuration: [{ title: 'Checking', properties: fromSchema(schema) }, own] } };
}

const text = readFileSync(here('../package.json'), 'utf8');
const schema = JSON.parse(readFileSync(here('../../../docs/agentmd.schema.json'), 'utf8'));
const wanted = `${JSON.stringify(merged(JSON.parse(text), schema), undefined, 2)}\n`;
if (process.argv.includes('--check')) {
  if (text !== wanted) {
    console.error('The settings in package.json are not those of docs/agentmd.schema.json. Run `npm run settings`.');
    process.exit(1);
  }
} else if (text !== wanted) {
  writeFileSync(here('../package.json'), wanted);
}
