import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { LSPErrorCodes, ResponseError } from 'vscode-languageclient/node';
import { isMarkdown } from './languages';
import { promptPage, shown, type Read, type Rendered, type Shown } from './promptPage';
import type { Session } from './session';
import { reasonOf } from './wording';

const COMMAND = 'agentmd.preview';
const INPUTS = 'agentmd.inputs';
const PAUSE = 150;

type Message = { type: 'ready' } | { type: 'sample' } | { type: 'input'; text: string } | { type: 'show'; line: number; character: number };

/** The inputs that were typed, by program. */
type Inputs = Readonly<Record<string, string>>;

/** The prompt of one program, rendered while you type. */
class Preview implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private readonly rest: vscode.Disposable[] = [];
  private waiting: NodeJS.Timeout | undefined;
  private turn = 0;

  constructor(
    private readonly document: vscode.TextDocument,
    private readonly session: Session,
    private readonly memory: vscode.Memento,
    gone: () => void,
  ) {
    const name = document.uri.path.split('/').pop() ?? '';
    this.panel = vscode.window.createWebviewPanel('agentmd.prompt', vscode.l10n.t('Preview of {0}', name), { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [] });
    this.panel.webview.html = promptPage(randomBytes(16).toString('hex'));
    this.rest.push(
      this.panel.webview.onDidReceiveMessage((message: Message) => this.receive(message)),
      this.panel.onDidDispose(() => {
        this.dispose();
        gone();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document: changed }) => changed === document && this.later()),
      session.onDidChangeHealth(({ kind }) => kind === 'running' && this.later()),
    );
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  close(): void {
    this.panel.dispose();
  }

  dispose(): void {
    clearTimeout(this.waiting);
    this.rest.splice(0).forEach((one) => one.dispose());
  }

  private later(): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => void this.draw(), PAUSE);
  }

  private get typed(): string | undefined {
    return this.memory.get<Inputs>(INPUTS, {})[this.document.uri.toString()];
  }

  private async remember(text: string | undefined): Promise<void> {
    const { [this.document.uri.toString()]: _, ...others } = this.memory.get<Inputs>(INPUTS, {});
    await this.memory.update(INPUTS, text === undefined ? others : { ...others, [this.document.uri.toString()]: text });
  }

  private async receive(message: Message): Promise<void> {
    if (message.type === 'show') {
      const place = new vscode.Position(message.line, message.character);
      await vscode.window.showTextDocument(this.document, { selection: new vscode.Range(place, place), viewColumn: vscode.ViewColumn.One });
      return;
    }
    if (message.type === 'sample') {
      await this.remember(undefined);
    } else if (message.type === 'input') {
      await this.remember(message.text.trim() === '' ? undefined : message.text);
    }
    await this.draw(message.type !== 'input');
  }

  private async ask(): Promise<Shown> {
    const { typed } = this;
    let input: unknown;
    try {
      input = typed === undefined ? undefined : JSON.parse(typed);
    } catch (error) {
      const message = vscode.l10n.t('The input is not JSON: {0}', error instanceof Error ? error.message : String(error));
      return { status: vscode.l10n.t('This is the last prompt.'), own: true, invalid: true, problems: [{ message, fails: true }] };
    }
    const client = this.session.client;
    if (!client) {
      return { status: vscode.l10n.t('The agentmd server is not running.'), own: typed !== undefined, invalid: false, problems: [] };
    }
    const argument = { uri: client.code2ProtocolConverter.asUri(this.document.uri), ...(input === undefined ? {} : { input }) };
    const answer = await client.sendRequest<Rendered | Read | null>('workspace/executeCommand', { command: COMMAND, arguments: [argument] });
    return shown(answer, typed !== undefined);
  }

  /** Renders again; answers about older versions are dropped. */
  private async draw(all = true): Promise<void> {
    const turn = ++this.turn;
    try {
      const { input, ...found } = await this.ask();
      if (turn === this.turn && this.rest.length > 0) {
        await this.panel.webview.postMessage(all && input !== undefined ? { ...found, input: this.typed ?? input } : found);
      }
    } catch (error) {
      if (turn !== this.turn || this.rest.length === 0) {
        return;
      }
      if (error instanceof ResponseError && (error.code === LSPErrorCodes.ContentModified || error.code === LSPErrorCodes.ServerCancelled)) {
        // The document changed during rendering.
        this.later();
        return;
      }
      // Once the server is back, it's asked again.
      const status = this.session.client ? vscode.l10n.t("The preview can't be updated: {0}. This is the last prompt.", reasonOf(error)) : vscode.l10n.t('The agentmd server is not running.');
      await this.panel.webview.postMessage({ status, own: this.typed !== undefined, invalid: false, problems: [] } satisfies Shown);
    }
  }
}

/** The open previews, one per program. */
export class Previews implements vscode.Disposable {
  private readonly open = new Map<vscode.TextDocument, Preview>();
  private readonly closing = vscode.workspace.onDidCloseTextDocument((document) => this.open.get(document)?.close());

  constructor(
    private readonly session: Session,
    private readonly memory: vscode.Memento,
  ) {}

  dispose(): void {
    this.closing.dispose();
    [...this.open.values()].forEach((preview) => preview.close());
  }

  show(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !isMarkdown(document)) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Open a program or an agent file first.'));
      return;
    }
    const known = this.open.get(document);
    if (known) {
      known.reveal();
    } else {
      this.open.set(document, new Preview(document, this.session, this.memory, () => this.open.delete(document)));
    }
  }
}
