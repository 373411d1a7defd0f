import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Middleware } from 'vscode-languageclient/node';
import { remember, report } from './aftermath';
import { previewed, previewing, rewriting } from './preview';
import { APPLY, COMMANDS_OF_EDITS } from './replies';
import { forbidden, refusal, touched, type Disk, type Reason, type Touched } from './writable';

const disk: Disk = {
  write: (file) => access(file, constants.W_OK).then(() => undefined, (error: NodeJS.ErrnoException) => error.code ?? 'unknown'),
};

function matches(globs: Record<string, unknown>, uri: vscode.Uri, document: vscode.TextDocument): boolean {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return Object.entries(globs).some(([glob, on]) => on === true && [glob, ...(folder ? [new vscode.RelativePattern(folder, glob)] : [])].some((pattern) => vscode.languages.match({ pattern }, document) > 0));
}

/** Whether the settings make a file read-only, which VS Code doesn't expose to extensions. */
async function isLocked(uri: vscode.Uri): Promise<boolean> {
  const files = vscode.workspace.getConfiguration('files', uri);
  if (uri.scheme === 'file' && files.get('readonlyFromPermissions', false) && ((await stat(uri.fsPath)).mode & 0o222) === 0) {
    return true;
  }
  const include = files.get<Record<string, unknown>>('readonlyInclude', {});
  if (Object.keys(include).length === 0) {
    return false;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  return matches(include, uri, document) && !matches(files.get<Record<string, unknown>>('readonlyExclude', {}), uri, document);
}

async function obstacle({ uri: written, kind }: Touched): Promise<Reason | undefined> {
  const uri = vscode.Uri.parse(written, true);
  if (uri.scheme === 'untitled') {
    return undefined;
  }
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    return 'system';
  }
  const found = await vscode.workspace.fs.stat(uri).then((found) => found, () => undefined);
  if (found?.permissions !== undefined && (found.permissions & vscode.FilePermission.Readonly) !== 0) {
    return 'permissions';
  }
  if (uri.scheme === 'file') {
    const reason = await forbidden(disk, uri.fsPath, found !== undefined && kind !== 'delete');
    if (reason) {
      return reason;
    }
  }
  return found && kind === 'change' && (await isLocked(uri)) ? 'setting' : undefined;
}

/** Why an edit can't be applied as a whole: VS Code would silently apply half of it. */
async function firstObstacle(files: readonly Touched[]): Promise<string | undefined> {
  for (const file of files) {
    const reason = await obstacle(file).catch(() => undefined);
    if (reason) {
      return refusal(vscode.workspace.asRelativePath(vscode.Uri.parse(file.uri, true)), reason);
    }
  }
  return undefined;
}

/** Why the edits of the current command weren't applied: `''` if the user declined them. */
let refused: string | undefined;
let depth = 0;

/** Runs a command of the server that leads to an edit. Replaces its message about an edit that wasn't applied by ours. */
export async function editing<T>(work: () => Thenable<T> | T): Promise<T | undefined> {
  refused = depth === 0 ? undefined : refused;
  depth += 1;
  try {
    return await work();
  } catch (error) {
    if (refused === undefined) {
      throw error;
    }
    if (refused !== '') {
      void vscode.window.showWarningMessage(refused);
    }
    return undefined;
  } finally {
    depth -= 1;
  }
}

/** Removes the edit from an action that can't be applied as a whole, and explains why. */
async function refuse(action: vscode.CodeAction, own?: string): Promise<string | undefined> {
  const others = (action.edit?.entries() ?? []).map(([uri]) => uri.toString()).filter((uri) => uri !== own);
  const reason = await firstObstacle(others.map((uri) => ({ uri, kind: 'change' })));
  if (reason) {
    delete action.edit;
    delete action.command;
  }
  return reason;
}

export const obstacles: Middleware = {
  executeCommand(command, given, next) {
    if (!COMMANDS_OF_EDITS.includes(command)) {
      return next(command, given);
    }
    const asked = command === APPLY ? (given[0] as { uri?: string } | undefined)?.uri : undefined;
    return editing(() => (asked ? previewing(asked, () => Promise.resolve(next(command, given))) : next(command, given)));
  },
  async provideCodeActions(document, range, context, token, next) {
    const actions = await next(document, range, context, token);
    for (const action of actions ?? []) {
      const reason = action instanceof vscode.CodeAction ? await refuse(action, document.uri.toString()) : undefined;
      if (reason) {
        (action as vscode.CodeAction).disabled = { reason };
      }
    }
    return actions;
  },
  async resolveCodeAction(action, token, next) {
    const resolved = await next(action, token);
    const reason = resolved ? await refuse(resolved) : undefined;
    if (reason) {
      void vscode.window.showWarningMessage(reason);
    } else if (resolved) {
      rewriting(resolved);
    }
    return resolved;
  },
  workspace: {
    async handleApplyEdit(params, next) {
      // If an edit wasn't applied, the server reads the files again and asks once more.
      const before = depth > 0 ? refused : undefined;
      const reason = before ?? (await firstObstacle(touched(params.edit)));
      if (reason !== undefined) {
        refused = reason;
        if (depth === 0) {
          void vscode.window.showWarningMessage(reason);
        }
        return { applied: false, failureReason: reason };
      }
      const { params: given, asks, announced } = previewed(params);
      const files = announced ? await remember(params.edit) : undefined;
      const answer = await next(given, new vscode.CancellationTokenSource().token);
      if ('applied' in answer && !answer.applied) {
        // The user declined. In all other cases, the server reports the error.
        refused = asks ? '' : refused;
      } else if (files) {
        void report(files);
      }
      return answer;
    },
  },
};
