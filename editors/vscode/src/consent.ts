import * as vscode from 'vscode';

const ANSWERS = 'agentmd.programsOfFolders';

/** The answer for each folder: `node_modules` contains other people's code even in a trusted workspace. */
type Answers = Readonly<Record<string, boolean>>;

/** Asks once per folder whether its program may run, and remembers the answer on this machine. */
export function consents(state: vscode.Memento): (folder: string, program: string) => Promise<boolean> {
  return async (folder, program) => {
    const known = state.get<Answers>(ANSWERS, {})[folder];
    if (known !== undefined) {
      return known;
    }
    const message = vscode.l10n.t("'{0}' is part of the folder that you opened. Run it as the agentmd server of this folder?", program);
    const run = vscode.l10n.t('Run It');
    const answer = await vscode.window.showWarningMessage(message, run, vscode.l10n.t('Use Another One'));
    if (answer === undefined) {
      // Dismissed, so not this time.
      return false;
    }
    await state.update(ANSWERS, { ...state.get<Answers>(ANSWERS, {}), [folder]: answer === run });
    return answer === run;
  };
}
