import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

/** The server's command that applies blocks of a document. */
export const APPLY = 'agentmd.apply';

/** The commands of the server that lead to an edit. */
export const COMMANDS_OF_EDITS: readonly string[] = [APPLY, 'agentmd.addToContext', 'agentmd.rewriteSelectors'];

const replies = new Set<string>();

/** Remembers which documents have something to apply, so that menus offer it only there. */
export const noticesReplies: Middleware = {
  async provideCodeLenses(document, token, next) {
    const found = await next(document, token);
    const holds = found?.some((lens) => lens.command?.command === APPLY) ?? false;
    const { path } = document.uri;
    if (holds !== replies.has(path)) {
      if (holds) {
        replies.add(path);
      } else {
        replies.delete(path);
      }
      // Menus use paths of the machine that shows VS Code's window, which may be another one.
      void vscode.commands.executeCommand('setContext', 'agentmd.replies', [...replies].flatMap((one) => [...new Set([one, one.replaceAll('/', '\\'), vscode.Uri.file(one).fsPath])]));
    }
    return found;
  },
};
