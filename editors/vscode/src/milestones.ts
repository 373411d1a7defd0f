import * as vscode from 'vscode';
import { isMarkdown } from './languages';

/** What ticks the steps of the walkthrough. */
const MILESTONES = ['hasFound', 'hasTemplate', 'hasApplied', 'hasSettings'] as const;
type Milestone = (typeof MILESTONES)[number];

const reached = new Set<Milestone>();

/** Ticks the step of the walkthrough that waits for this. */
export function reach(milestone: Milestone): void {
  if (!reached.has(milestone)) {
    reached.add(milestone);
    void vscode.commands.executeCommand('setContext', `agentmd.${milestone}`, true);
  }
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
    vscode.languages.onDidChangeDiagnostics(() => reached.has('hasFound') || found()),
    vscode.workspace.onDidChangeTextDocument(typed),
    vscode.workspace.onDidOpenTextDocument(opened),
  );
}
