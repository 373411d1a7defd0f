import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Session } from '../session';

/** The running server, if it supports the command; otherwise reports what's missing and how to fix it. */
export function needsServer(session: Session, command?: string): LanguageClient | undefined {
  const client = session.client;
  if (!client) {
    session.explain();
    return undefined;
  }
  const known = client.initializeResult?.capabilities.executeCommandProvider?.commands ?? [];
  if (command && !known.includes(command)) {
    void vscode.window.showWarningMessage(vscode.l10n.t('This version of agentmd does not support that. Install a newer one.'));
    return undefined;
  }
  return client;
}
