import * as vscode from 'vscode';
import { COPY, keep } from '../selectors';
import type { Session } from '../session';
import { needsServer } from './requirement';

/** Copies the selector of the block under the cursor to the clipboard. */
export async function copySelector(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const client = needsServer(session, COPY);
  if (!editor || !client) {
    return;
  }
  const argument = {
    uri: client.code2ProtocolConverter.asUri(editor.document.uri),
    position: client.code2ProtocolConverter.asPosition(editor.selection.active),
  };
  await keep(await client.sendRequest('workspace/executeCommand', { command: COPY, arguments: [argument] }));
}
