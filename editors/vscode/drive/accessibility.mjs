// Checks that a webview's page can be used without a mouse and with a screen reader.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The newest webview's own frame, which VS Code nests in two others. */
async function frame(page) {
  const body = await page.frameLocator('iframe.webview.ready').last().frameLocator('iframe').locator('body').elementHandle();
  return body.ownerFrame();
}

/** Every element that Tab reaches: its name, and whether its focus is visible. */
async function stops(page, inner, most = 60) {
  await inner.evaluate('document.activeElement?.blur(); getSelection().collapse(document.body, 0); document.body.tabIndex = -1; document.body.focus()');
  const found = [];
  for (let times = 0; times < most; times += 1) {
    await page.keyboard.press('Tab');
    const stop = await inner.evaluate(() => {
      const at = document.activeElement;
      if (!document.hasFocus() || !at || at === document.body) {
        return undefined;
      }
      const labelled = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? document.getElementById(at.getAttribute('aria-labelledby') ?? '')?.textContent ?? at.textContent;
      const visible = (style) => style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
      const box = at.querySelector('rect');
      return { name: labelled.trim(), visible: visible(getComputedStyle(at)) || (box !== null && Number.parseFloat(getComputedStyle(box).strokeWidth) > 1) };
    });
    if (!stop || (found.length > 0 && stop.name === found[0].name)) {
      break;
    }
    found.push(stop);
  }
  return found;
}

/** Asserts that axe finds no violations and that Tab reaches every interactive element. Returns the elements' names. */
export async function accessible(page) {
  const inner = await frame(page);
  await inner.evaluate(axe);
  const objections = await inner.evaluate(() => window.axe.run(document, { iframes: false, preload: false, resultTypes: ['violations'] }).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? node.failureSummary}`))));
  assert.equal(objections.join('; ').replace(/\s+/g, ' '), '');
  const usable = await inner.evaluate(() => [...document.querySelectorAll('a, button, input, textarea, [tabindex="0"]')].filter((one) => one.getClientRects().length > 0).length);
  const found = await stops(page, inner, usable + 1);
  assert.equal(found.length, usable, found.map(({ name }) => name).join(' | '));
  assert.equal(found.filter(({ name, visible }) => name === '' || !visible).map(({ name }) => name || '(no name)').join('; '), '', 'each element has a name and a visible focus');
  return found.map(({ name }) => name);
}
