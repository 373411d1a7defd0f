import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Session } from '../session';

/** The running server, if it knows the command; says what is missing otherwise. */
export function needsServer(session: Session, command?: string): LanguageClient | undefined {
  const client = session.client;
  if (!client) {
    void vscode.window.showWarningMessage('The agentmd server is not running.', 'Restart').then((choice) => choice && session.restart());
    return undefined;
  }
  const known = client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  if (command && !known.includes(command)) {
    void vscode.window.showWarningMessage('This agentmd does not know how to do that yet. A newer one may.');
    return undefined;
  }
  return client;
}
