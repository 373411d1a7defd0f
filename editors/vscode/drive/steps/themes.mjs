// Dark and high-contrast themes: pictures, and webviews that pass axe and are usable with keys and screen readers in every theme.
import path from 'node:path';
import { accessible } from '../accessibility.mjs';
import { begin, expandTree } from './agents.mjs';

const SKILL = '.claude/skills/changelog/SKILL.md';

/** The page of a webview, once it shows something. */
function page(workbench, shown) {
  return workbench.page.frameLocator('iframe.webview.ready').last().frameLocator('iframe').locator(shown).first().waitFor();
}

/** The preview of an agent file, the preview of a program, and the map. */
async function webviews(workbench) {
  await begin(workbench);
  await workbench.hideSideBar();
  const said = [];
  const pages = [
    [SKILL, 'agentmd: Preview What the Model Reads', '#clients li'],
    ['programs/greet.md', 'agentmd: Preview What the Model Reads', '#problems li'],
    ['CLAUDE.md', 'agentmd: Show the Map of Agent Files', 'a[role=link]'],
  ];
  for (const [file, command, shown] of pages) {
    await workbench.open(file);
    await workbench.runs();
    await workbench.command(command);
    await page(workbench, shown);
    await workbench.pause(500);
    said.push((await accessible(workbench.page)).join(', '));
    await workbench.command('View: Close All Editors');
  }
  return said.join(' | ');
}

function step(theme, picture) {
  return async (workbench) => {
    await workbench.size(480, 1160);
    return workbench.theme(theme, async () => {
      await picture?.(workbench);
      return webviews(workbench);
    });
  };
}

async function reviewed(workbench) {
  await workbench.visit(path.join(workbench.scratch, 'review'));
  await workbench.open('review.md');
  await workbench.command('agentmd: Review the Edits of This Reply');
  await workbench.page.waitForSelector('.tab.active:has-text("of 4)")');
  await workbench.command('Notifications: Clear All Notifications');
  await workbench.widen();
  await workbench.pause(1200);
  await workbench.picture('review-dark', 436);
  await workbench.command('agentmd: Close the Review');
}

async function listed(workbench) {
  await workbench.size(480, 1400);
  await begin(workbench);
  await workbench.open(SKILL);
  await workbench.squiggles();
  await workbench.showView('Agent Files');
  await workbench.page.waitForSelector('.pane:has([aria-label^="Agent Files"]) .monaco-list-row');
  await workbench.widen(380);
  await expandTree(workbench, 'Cline', 'Skills');
  await workbench.command('agentmd: Preview What the Model Reads');
  await page(workbench, '#clients li:has-text("Cline")');
  await workbench.pause(800);
  await workbench.picture('contrast', 436);
}

export const themes = {
  light: step('Default Light Modern'),
  dark: step('Default Dark Modern', reviewed),
  contrast: step('Default High Contrast', listed),
  contrastLight: step('Default High Contrast Light'),
};
