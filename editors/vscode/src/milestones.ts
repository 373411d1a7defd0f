import * as vscode from 'vscode';
import { isMarkdown } from './languages';

/** The events that tick the steps of the walkthrough. */
type Milestone = 'hasStarted' | 'hasFound' | 'hasFiles' | 'hasTemplate' | 'hasApplied' | 'hasSettings';

const reached = new Set<Milestone>();
/** Two values that steps wait for, so that one of them is always new to a walkthrough that VS Code reads. */
const VALUES = ['reached', 'shown'] as const;
/** The times at which the values change after a walkthrough is opened, since VS Code may take seconds to read it. */
const TURNS = [1000, 3000, 6000, 12_000];

/** Ticks the step of the walkthrough that waits for this. */
export function reach(milestone: Milestone): void {
  if (!reached.has(milestone)) {
    reached.add(milestone);
    tick(milestone, VALUES[0]);
  }
}

function tick(milestone: Milestone, value: (typeof VALUES)[number]): void {
  void vscode.commands.executeCommand('setContext', `agentmd.${milestone}`, value);
}

/**
 * VS Code reads a walkthrough when it's opened, and never ticks a step whose condition was already true. So the values alternate
 * once it may be open. Its tab has no input that extensions can see.
 */
function watchWalkthrough(): vscode.Disposable {
  let turns: NodeJS.Timeout[] = [];
  const look = (tabs: readonly vscode.Tab[]): void => {
    if (tabs.some(({ input }) => input === undefined)) {
      turns.forEach(clearTimeout);
      turns = TURNS.map((after, turn) => setTimeout(() => reached.forEach((milestone) => tick(milestone, VALUES[turn % 2 === 0 ? 1 : 0])), after));
    }
  };
  look(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
  return vscode.Disposable.from(vscode.window.tabGroups.onDidChangeTabs(({ opened }) => look(opened)), { dispose: () => turns.forEach(clearTimeout) });
}

/** Notices the milestones that aren't commands of this extension. */
export function watchMilestones(): vscode.Disposable {
  const found = (): void => {
    const own = vscode.languages.getDiagnostics().some(([, all]) => all.some(({ source }) => source === 'agentmd'));
    if (own) {
      reach('hasFound');
    }
  };
  const typed = ({ document, contentChanges }: vscode.TextDocumentChangeEvent): void => {
    if (!reached.has('hasTemplate') && isMarkdown(document) && contentChanges.some(({ range }) => /\{\{/.test(document.lineAt(Math.min(range.start.line, document.lineCount - 1)).text))) {
      reach('hasTemplate');
    }
  };
  const opened = (document: vscode.TextDocument): void => {
    if (document.uri.path.endsWith('/agentmd.toml')) {
      reach('hasSettings');
    }
  };
  vscode.workspace.textDocuments.forEach(opened);
  return vscode.Disposable.from(
    watchWalkthrough(),
    vscode.languages.onDidChangeDiagnostics(() => reached.has('hasFound') || found()),
    vscode.workspace.onDidChangeTextDocument(typed),
    vscode.workspace.onDidOpenTextDocument(opened),
  );
}
