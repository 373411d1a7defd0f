import * as vscode from 'vscode';
import { editing } from '../obstacles';
import type { Session } from '../session';
import { reasonOf } from '../wording';
import { needsServer } from './requirement';

const ADD = 'agentmd.addToContext';

/** Adds the selected lines of any file to the context pack opened last. */
export async function addToContext(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const client = needsServer(session, ADD);
  if (!editor || !client) {
    return;
  }
  const argument = {
    uri: client.code2ProtocolConverter.asUri(editor.document.uri),
    range: client.code2ProtocolConverter.asRange(editor.selection),
  };
  try {
    await editing(async () => {
      await client.sendRequest('workspace/executeCommand', { command: ADD, arguments: [argument] });
      vscode.window.setStatusBarMessage(vscode.l10n.t('Added to the context pack'), 4000);
    });
  } catch (error) {
    void vscode.window.showWarningMessage(reasonOf(error));
  }
}
