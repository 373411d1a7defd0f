// Tests `agentmd mcp` with the MCP client from npm: `npm install @modelcontextprotocol/sdk` next to this file or above it.
// AGENTMD names the program to run instead of `agentmd`. The client validates answers against the tools' output schemas.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const above = mkdtempSync(join(tmpdir(), 'agentmd-mcp-'));
const folder = join(above, 'project');
mkdirSync(folder);
writeFileSync(join(folder, 'SKILL.md'), '---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n');
writeFileSync(join(above, 'secret.md'), '# Secret\n');
symlinkSync(above, join(folder, 'link'));
const client = new Client({ name: 'drive', version: '1.0.0' }, { capabilities: { roots: { listChanged: true } } });
// The server's root is its argument, which a root from the client can't widen.
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: pathToFileURL(above).href, name: 'above' }] }));
const call = (name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const fails = async (name, args, why) => {
  const answer = await call(name, args);
  assert.ok(answer.isError && why.test(answer.content[0].text), JSON.stringify(answer));
};
try {
  await client.connect(new StdioClientTransport({ command: process.env.AGENTMD ?? 'agentmd', args: ['mcp', folder] }));
  const { tools } = await client.listTools();
  const { structuredContent, content } = await call('check', {});
  assert.equal(structuredContent.findings[0].code, 'agent/front-matter');
  assert.match(content[0].text, /^SKILL\.md:3:14 /);

  await fails('check', { path: 'SKILL.md' }, /unknown field `path`/);
  await fails('check', { paths: ['none.md'] }, /no such file or folder: none\.md/);
  for (const path of ['../secret.md', 'link/secret.md', join(above, 'secret.md'), 'a/../../secret.md']) {
    await fails('check', { paths: [path] }, /outside of the root/);
    await fails('index', { files: [path] }, /outside of the root/);
    await fails('select', { selectors: ['section[0]'], files: [path] }, /outside of the root/);
    await fails('loaded', { path }, /outside of the root/);
  }
  await assert.rejects(call('apply', {}), /unknown tool/);
  await assert.rejects(client.readResource({ uri: 'agentmd://rules/no/such' }), /unknown rule/);
  await assert.rejects(client.readResource({ uri: pathToFileURL(join(above, 'secret.md')).href }), /unknown resource/);

  // Half of the calls are cancelled; the others must be answered.
  const calls = Array.from({ length: 20 }, (_, number) => {
    const stop = new AbortController();
    const answer = call('check', {}, { signal: stop.signal });
    const wanted = number % 2 ? answer : assert.rejects(answer, /enough/);
    if (number % 2 === 0) stop.abort('enough');
    return wanted;
  });
  await Promise.all(calls);

  const { resources } = await client.listResources();
  const page = await client.readResource({ uri: 'agentmd://rules/agent/front-matter' });
  assert.match(page.contents[0].text, /^# agent\/front-matter/);
  console.log(`ok: ${tools.length} tools, ${resources.length} pages; ${content[0].text.split('\n')[0]}`);
} finally {
  await client.close();
  rmSync(above, { recursive: true });
}
