import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { inDestination } from './destination';
import { withoutHeadings } from './outline';
import { isRule } from './suggesting';

/** Whether VS Code's own Markdown support is on: it lists headings and completes link destinations. */
function builtin(): boolean {
  return vscode.extensions.getExtension('vscode.markdown-language-features') !== undefined;
}

function isNested(found: readonly unknown[]): found is vscode.DocumentSymbol[] {
  return found.every((symbol) => symbol instanceof vscode.DocumentSymbol);
}

function textBefore(document: vscode.TextDocument, position: vscode.Position): string {
  return document.lineAt(position.line).text.slice(0, position.character);
}

/** Removes results that VS Code's own Markdown support already shows. */
export const overlaps: Middleware = {
  async provideDocumentSymbols(document, token, next) {
    const found = await next(document, token);
    return found && builtin() && isNested(found) ? withoutHeadings(found, vscode.SymbolKind.String) : found;
  },
  async provideCompletionItem(document, position, context, token, next) {
    const before = textBefore(document, position);
    const unasked = context.triggerKind === vscode.CompletionTriggerKind.TriggerCharacter && isRule(before);
    return unasked || (builtin() && inDestination(before)) ? undefined : next(document, position, context, token);
  },
  async provideWorkspaceSymbols(query, token, next) {
    const found = await next(query, token);
    return found && builtin() ? found.filter((symbol) => symbol.kind !== vscode.SymbolKind.String) : found;
  },
};
