import * as vscode from 'vscode';
import { editing } from '../obstacles';
import { previewing } from '../preview';
import { APPLY } from '../replies';
import type { Session } from '../session';
import { reasonOf } from '../wording';
import { needsServer } from './requirement';

/** The lenses of a document that apply something, those with the most blocks first. */
async function lenses(document: vscode.TextDocument): Promise<vscode.Command[]> {
  const found = (await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri, 1000)) ?? [];
  const blocks = (command: vscode.Command): number => (command.arguments?.[0] as { blocks?: unknown[] } | undefined)?.blocks?.length ?? 0;
  const commands = found.flatMap((lens) => (lens.command?.command === APPLY ? [lens.command] : []));
  return commands.sort((left, right) => blocks(right) - blocks(left));
}

/** Lets the user choose which edits of a reply to apply, and shows them in Refactor Preview first. */
export async function applyWithPreview(session: Session): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const client = needsServer(session, APPLY);
  if (!editor || !client) {
    return;
  }
  const offered = await lenses(editor.document);
  if (offered.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Nothing to apply: this document contains no edits, or the files already match them.'));
    return;
  }
  const items = offered.map((command) => ({ label: command.title, command }));
  const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Choose what to apply. You see a preview before any file changes.') });
  if (!chosen) {
    return;
  }
  const params = { command: APPLY, arguments: chosen.command.arguments ?? [] };
  try {
    await editing(() => previewing(client.code2ProtocolConverter.asUri(editor.document.uri), () => client.sendRequest('workspace/executeCommand', params)));
  } catch (error) {
    void vscode.window.showWarningMessage(reasonOf(error));
  }
}
