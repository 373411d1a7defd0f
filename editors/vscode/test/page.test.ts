import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, pageOf, SCHEME } from '../src/page';

test('the address of a page leads back to its rule', () => {
  assert.equal(pageOf('agent/front-matter'), 'agentmd-page:/agent/front-matter.md');
  assert.equal(codeOf(pageOf('agent/front-matter').slice(SCHEME.length + 1)), 'agent/front-matter');
});
