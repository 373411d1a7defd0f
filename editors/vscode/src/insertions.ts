import * as vscode from 'vscode';
import type { TextEdit } from 'vscode-languageserver-protocol';
import { LANGUAGES, SCHEMES } from './languages';
import type { Session } from './session';

const COMMAND = 'agentmd.insertions';
const LIST = 'text/uri-list';

/** A way to insert a file, from the server's answer. */
interface Insertion {
  readonly title: string;
  readonly kind: 'link' | 'import' | 'item';
  readonly edit: TextEdit;
}

/** An insertion: text at the cursor, or an edit elsewhere in the document. */
interface Way {
  readonly title: string;
  readonly kind: vscode.DocumentDropOrPasteEditKind;
  readonly text: string;
  readonly more: vscode.WorkspaceEdit | undefined;
}

const KIND = vscode.DocumentDropOrPasteEditKind.Empty.append('agentmd');
const LINK = vscode.DocumentDropOrPasteEditKind.Empty.append('markdown', 'link');

/** Dropped and pasted files become imports, items of context packs, or links; the server decides which. */
class Insertions implements vscode.DocumentDropEditProvider, vscode.DocumentPasteEditProvider {
  constructor(private readonly session: Session) {}

  private async ways(document: vscode.TextDocument, position: vscode.Position, data: vscode.DataTransfer, token: vscode.CancellationToken): Promise<Way[]> {
    const client = this.session.client;
    const listed = await data.get(LIST)?.asString();
    const files = (listed ?? '').split(/\r?\n/).filter((line) => line.startsWith('file:'));
    // Several files are left to VS Code's own support.
    const [file] = files;
    if (!client || file === undefined || files.length > 1 || token.isCancellationRequested) {
      return [];
    }
    const uri = client.code2ProtocolConverter.asUri(document.uri);
    const argument = { uri, position: client.code2ProtocolConverter.asPosition(position), file };
    const found = await client.sendRequest<Insertion[] | null>('workspace/executeCommand', { command: COMMAND, arguments: [argument] });
    const builtin = vscode.extensions.getExtension('vscode.markdown-language-features') !== undefined;
    return (found ?? []).filter(({ kind }) => kind !== 'link' || !builtin).map(({ title, kind, edit }) => {
      const range = client.protocol2CodeConverter.asRange(edit.range);
      const here = range.isEmpty && range.start.isEqual(position);
      const more = here ? undefined : new vscode.WorkspaceEdit();
      more?.replace(document.uri, range, edit.newText);
      return { title, kind: KIND.append(kind), text: here ? edit.newText : '', more };
    });
  }

  async provideDocumentDropEdits(document: vscode.TextDocument, position: vscode.Position, data: vscode.DataTransfer, token: vscode.CancellationToken): Promise<vscode.DocumentDropEdit[]> {
    return (await this.ways(document, position, data, token)).map(({ title, kind, text, more }) => {
      const edit = new vscode.DocumentDropEdit(text, title, kind);
      if (more) {
        edit.additionalEdit = more;
      }
      return edit;
    });
  }

  async provideDocumentPasteEdits(document: vscode.TextDocument, ranges: readonly vscode.Range[], data: vscode.DataTransfer, _: vscode.DocumentPasteEditContext, token: vscode.CancellationToken): Promise<vscode.DocumentPasteEdit[]> {
    const [range] = ranges;
    if (!range?.isEmpty) {
      return [];
    }
    return (await this.ways(document, range.start, data, token)).map(({ title, kind, text, more }) => {
      const edit = new vscode.DocumentPasteEdit(text, title, kind);
      if (more) {
        edit.additionalEdit = more;
      }
      // Most users expect a link for a pasted file.
      edit.yieldTo = [LINK];
      return edit;
    });
  }
}

export function provideInsertions(session: Session): vscode.Disposable {
  const selector = SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language })));
  const provider = new Insertions(session);
  const kinds = ['import', 'item', 'link'].map((kind) => KIND.append(kind));
  return vscode.Disposable.from(
    vscode.languages.registerDocumentDropEditProvider(selector, provider, { providedDropEditKinds: kinds, dropMimeTypes: [LIST] }),
    vscode.languages.registerDocumentPasteEditProvider(selector, provider, { providedPasteEditKinds: kinds, pasteMimeTypes: [LIST] }),
  );
}
