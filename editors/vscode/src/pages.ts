import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { codeOf, pageOf, SCHEME } from './page';
import type { Session } from './session';

/** The server's command that returns the page of a rule. */
export const EXPLAIN = 'agentmd.explain';

/** Shows the page of a rule, rendered if VS Code's own Markdown support is on. */
export async function explain(code: unknown): Promise<void> {
  if (typeof code !== 'string') {
    return;
  }
  const uri = vscode.Uri.parse(pageOf(code));
  if (vscode.extensions.getExtension('vscode.markdown-language-features')) {
    await vscode.commands.executeCommand('markdown.showPreviewToSide', uri);
  } else {
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }
}

/** The pages of rules as documents. The program contains them, so that links to them work offline. */
export function providePages(session: Session): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    async provideTextDocumentContent(uri) {
      const client = session.client;
      if (!client) {
        throw new Error(vscode.l10n.t('The agentmd server is not running.'));
      }
      const argument = { code: codeOf(uri.path) };
      return client.sendRequest<string>('workspace/executeCommand', { command: EXPLAIN, arguments: [argument] });
    },
  });
}

function linked<T extends vscode.Diagnostic>(found: T): T {
  if (typeof found.code === 'object' && typeof found.code.value === 'string') {
    found.code = { value: found.code.value, target: vscode.Uri.parse(pageOf(found.code.value)) };
  }
  return found;
}

/** Makes the codes of findings link to the pages in the program instead of the web. */
export const linksPages: Middleware = {
  handleDiagnostics: (uri, diagnostics, next) => next(uri, diagnostics.map(linked)),
  async provideDiagnostics(document, previous, token, next) {
    const report = await next(document, previous, token);
    if (report && 'items' in report) {
      report.items.forEach(linked);
    }
    return report;
  },
};
