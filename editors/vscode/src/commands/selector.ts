import * as vscode from 'vscode';
import type { Session } from '../session';
import { needsServer } from './requirement';

/** What the server answers `agentmd.copySelector` with. */
interface Answer {
  readonly selector?: string;
}

/** Puts the selector of the block under the cursor on the clipboard. */
export async function copySelector(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const client = needsServer(session, 'agentmd.copySelector');
  if (!editor || !client) {
    return;
  }
  const argument = {
    uri: client.code2ProtocolConverter.asUri(editor.document.uri),
    position: client.code2ProtocolConverter.asPosition(editor.selection.active),
  };
  const answer: unknown = await client.sendRequest('workspace/executeCommand', { command: 'agentmd.copySelector', arguments: [argument] });
  const selector = typeof answer === 'string' ? answer : (answer as Answer | null)?.selector;
  if (!selector) {
    void vscode.window.showInformationMessage('There is no block under the cursor that a selector could name.');
    return;
  }
  await vscode.env.clipboard.writeText(selector);
  vscode.window.setStatusBarMessage(`Copied ${selector}`, 4000);
}
