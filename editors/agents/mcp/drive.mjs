// Asks `agentmd mcp` with the MCP client from npm: `npm install @modelcontextprotocol/sdk` next to this file or above it.
// AGENTMD names the program to run instead of `agentmd`.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const folder = mkdtempSync(join(tmpdir(), 'agentmd-mcp-'));
writeFileSync(join(folder, 'SKILL.md'), '---\nname: notes\ndescription: Use when: somebody asks\n---\n\n# Notes\n');
const client = new Client({ name: 'drive', version: '1.0.0' });
try {
  await client.connect(new StdioClientTransport({ command: process.env.AGENTMD ?? 'agentmd', args: ['mcp', folder] }));
  // The client checks answers against the output schemas of the tools that it has listed.
  const { tools } = await client.listTools();
  const { structuredContent, content } = await client.callTool({ name: 'check', arguments: {} });
  assert.equal(structuredContent.findings[0].code, 'agent/front-matter');
  assert.match(content[0].text, /^SKILL\.md:3:14 /);
  const wrong = await client.callTool({ name: 'check', arguments: { path: 'SKILL.md' } });
  assert.ok(wrong.isError && /unknown field `path`/.test(wrong.content[0].text), JSON.stringify(wrong));
  await assert.rejects(client.readResource({ uri: 'agentmd://rules/no/such' }));
  console.log(`ok: ${tools.length} tools; ${content[0].text.split('\n')[0]}`);
} finally {
  await client.close();
  rmSync(folder, { recursive: true });
}
