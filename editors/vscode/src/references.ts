import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import type { Location, Position } from 'vscode-languageserver-protocol';

/** The command of lenses with the number of references. */
export const REFERENCES = 'agentmd.references';

/** The argument of that command. */
export interface Referred {
  readonly uri: string;
  readonly position: Position;
  readonly locations: Location[];
}

/** Shows the references of a lens in VS Code's own list. */
export async function showReferences(client: LanguageClient, { uri, position, locations }: Referred): Promise<void> {
  const convert = client.protocol2CodeConverter;
  await vscode.commands.executeCommand('editor.action.showReferences', vscode.Uri.parse(uri, true), convert.asPosition(position), locations.map((one) => convert.asLocation(one)));
}
