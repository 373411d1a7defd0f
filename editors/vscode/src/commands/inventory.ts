import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import type { Session } from '../session';

const SCHEME = 'agentmd-index';

function run(program: string, file: string, folder: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: 30_000, maxBuffer: 64 * 1024 * 1024, windowsHide: true, ...(folder ? { cwd: folder } : {}) };
    execFile(program, ['index', file], options, (error, stdout, stderr) => {
      if (stdout === '' && error) {
        reject(new Error(stderr.trim() || error.message));
      } else {
        resolve(stdout);
      }
    });
  });
}

/** Pretty JSON, or the text itself if it isn't JSON. */
function pretty(text: string): string {
  try {
    return `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`;
  } catch {
    return text;
  }
}

/** Shows every selector of the current Markdown file, as `agentmd index` prints them. */
export class Inventory implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  constructor(private readonly session: Session) {}

  dispose(): void {
    this.registration.dispose();
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const health = this.session.health;
    if (health.kind !== 'running') {
      throw new Error(vscode.l10n.t('The agentmd server is not running.'));
    }
    const file = vscode.Uri.parse(uri.query, true);
    return pretty(await run(health.program.path, file.fsPath, vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath));
  }

  async show(given?: vscode.Uri): Promise<void> {
    const file = given instanceof vscode.Uri ? given : vscode.window.activeTextEditor?.document.uri;
    if (file?.scheme !== 'file') {
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a Markdown file that is saved to disk first.'));
      return;
    }
    const name = file.path.split('/').pop() ?? '';
    try {
      // The time sets this document apart from the last one for the same file.
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}.selectors.json`, query: file.toString(), fragment: String(Date.now()) });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true, viewColumn: vscode.ViewColumn.Beside });
    } catch (error) {
      void vscode.window.showWarningMessage(vscode.l10n.t('The index cannot be shown. {0}', error instanceof Error ? error.message : String(error)));
    }
  }
}
