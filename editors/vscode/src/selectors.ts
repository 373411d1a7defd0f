import * as vscode from 'vscode';
import type { ClientCapabilities, Middleware, StaticFeature } from 'vscode-languageclient/node';

/** The command that returns the selector of a position. */
export const COPY = 'agentmd.copySelector';

/** Copies a selector to the clipboard and confirms that. */
export async function keep(selector: unknown): Promise<void> {
  if (typeof selector !== 'string' || selector === '') {
    void vscode.window.showInformationMessage(vscode.l10n.t('There is nothing at the cursor that a selector can address.'));
    return;
  }
  await vscode.env.clipboard.writeText(selector);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', selector), 4000);
}

/** Declares that the client can copy selectors, preview and review edits, and show the pages of rules. */
export const declaresAbilities: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const experimental = (capabilities.experimental ?? {}) as { agentmd?: object };
    capabilities.experimental = { ...experimental, agentmd: { ...experimental.agentmd, copySelector: true, previews: true, explain: true, references: true, review: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

/** Keeps the selector that a command returned. */
export const copying: NonNullable<Middleware['executeCommand']> = async (command, given, next) => {
  const answer: unknown = await next(command, given);
  if (command === COPY) {
    await keep(answer);
  }
  return answer;
};
