import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';

/** The command of the server that applies blocks of a document. */
export const APPLY = 'agentmd.apply';

/** The commands of the server that ask the editor to make an edit. */
export const COMMANDS_OF_EDITS: readonly string[] = [APPLY, 'agentmd.addToContext', 'agentmd.rewriteSelectors'];

const replies = new Set<string>();

/** Remembers which documents hold something to apply: menus show what can be done there alone. */
export const noticesReplies: Middleware = {
  async provideCodeLenses(document, token, next) {
    const found = await next(document, token);
    const uri = document.uri.toString();
    const holds = found?.some((lens) => lens.command?.command === APPLY) ?? false;
    if (holds !== replies.has(uri)) {
      if (holds) {
        replies.add(uri);
      } else {
        replies.delete(uri);
      }
      void vscode.commands.executeCommand('setContext', 'agentmd.replies', [...replies]);
    }
    return found;
  },
};
