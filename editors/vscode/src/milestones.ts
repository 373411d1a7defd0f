import * as vscode from 'vscode';
import { isMarkdown } from './languages';

/** What ticks the steps of the walkthrough. */
type Milestone = 'hasStarted' | 'hasFound' | 'hasFiles' | 'hasTemplate' | 'hasApplied' | 'hasSettings';

const reached = new Set<Milestone>();
/** How long VS Code may take to read the walkthrough, once it's opened. */
const PAUSE = 1500;

/** Ticks the step of the walkthrough that waits for this. */
export function reach(milestone: Milestone): void {
  if (!reached.has(milestone)) {
    reached.add(milestone);
    tick(milestone, 'reached');
  }
}

function tick(milestone: Milestone, value: 'reached' | 'shown'): void {
  void vscode.commands.executeCommand('setContext', `agentmd.${milestone}`, value);
}

/**
 * VS Code reads a walkthrough when one is opened, and never ticks a step whose context was set before. So each step also
 * waits for a second value, which is set once the walkthrough may be open. Its tab has no input that extensions know.
 */
function watchWalkthrough(): vscode.Disposable {
  let waiting: NodeJS.Timeout | undefined;
  const look = (tabs: readonly vscode.Tab[]): void => {
    if (tabs.some(({ input }) => input === undefined)) {
      clearTimeout(waiting);
      waiting = setTimeout(() => reached.forEach((milestone) => tick(milestone, 'shown')), PAUSE);
    }
  };
  look(vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs));
  return vscode.Disposable.from(vscode.window.tabGroups.onDidChangeTabs(({ opened }) => look(opened)), { dispose: () => clearTimeout(waiting) });
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
