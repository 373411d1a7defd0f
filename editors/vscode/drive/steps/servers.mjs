// Servers that are missing, too old, killed, or running twice.
import assert from 'node:assert/strict';
import { TRIAGE } from './programs.mjs';

export const servers = {
  async crash(workbench) {
    await workbench.open('guide.md');
    await workbench.runs();
    process.kill(workbench.server(), 'SIGKILL');
    const said = await workbench.notification('crashed and was started again');
    await workbench.open(TRIAGE);
    await workbench.goTo(TRIAGE, 'for each of them.');
    await workbench.page.keyboard.type(' {{ .nowhere }}');
    await workbench.squiggles();
    return said;
  },

  async missing(workbench) {
    await workbench.open('guide.md');
    workbench.change({ 'agentmd.server.path': '/nowhere/agentmd' });
    const said = await workbench.notification('/nowhere/agentmd');
    const buttons = await workbench.buttons();
    assert.ok(buttons.includes('Open Settings') && buttons.includes('How to Install'), buttons.join(' | '));
    // Running a command shows the message again instead of doing nothing.
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('agentmd: Copy Selector');
    await workbench.notification('/nowhere/agentmd');
    workbench.change({ 'agentmd.server.path': null });
    await workbench.runs();
    return `${said} [${buttons.join('] [')}]`;
  },

  async tooOld(workbench) {
    const old = workbench.script('old', 'echo agentmd 0.0.1');
    await workbench.open('guide.md');
    workbench.change({ 'agentmd.server.path': old });
    const said = await workbench.notification('is too old');
    const buttons = await workbench.buttons();
    assert.ok(said.includes('0.0.1') && said.includes(old) && /needs \d+\.\d+\.\d+/.test(said), said);
    assert.ok(buttons.includes('How to Install'));
    workbench.change({ 'agentmd.server.path': null });
    await workbench.runs();
    return said;
  },

  async alwaysCrashing(workbench) {
    const broken = workbench.script('broken', '[ "$1" = --version ] && echo agentmd 9.9.9 && exit; exit 3');
    await workbench.open('guide.md');
    workbench.change({ 'agentmd.server.path': broken });
    await workbench.notification('ended before it answered');
    await workbench.page.waitForSelector('.statusbar-item.warning-kind, .statusbar-item:has(.codicon-warning):has-text("agentmd")');
    await workbench.pause(2000);
    const said = await workbench.texts('.notification-list-item-message');
    assert.equal(said.length, 1, said.join(' | '));
    workbench.change({ 'agentmd.server.path': null });
    await workbench.runs();
    return said.join(' | ');
  },
};
