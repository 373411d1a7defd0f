import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';

/** The effect of an edit on a file. */
export interface Touched {
  readonly uri: string;
  readonly kind: 'change' | 'create' | 'delete';
}

/** Why a file can't be written. */
export type Reason = 'setting' | 'permissions' | 'system';

/** Everything this module needs from the disk. */
export interface Disk {
  /** The system's error code if a file or folder can't be written; `undefined` if it can. */
  write(file: string): Promise<string | undefined>;
}

/** Why a file can't be written on disk. For a new file, the nearest existing folder counts. */
export async function forbidden(disk: Disk, file: string, exists: boolean): Promise<Reason | undefined> {
  let place = exists ? file : path.dirname(file);
  let code = await disk.write(place);
  while (code === 'ENOENT' && place !== path.dirname(place)) {
    place = path.dirname(place);
    code = await disk.write(place);
  }
  if (code === 'EROFS') {
    return 'system';
  }
  return code === 'EACCES' || code === 'EPERM' ? 'permissions' : undefined;
}

/** The files that an edit touches, each once. */
export function touched(edit: WorkspaceEdit): Touched[] {
  const all: Touched[] = Object.keys(edit.changes ?? {}).map((uri) => ({ uri, kind: 'change' }));
  for (const change of edit.documentChanges ?? []) {
    if ('textDocument' in change) {
      all.push({ uri: change.textDocument.uri, kind: 'change' });
    } else if (change.kind === 'rename') {
      all.push({ uri: change.oldUri, kind: 'delete' }, { uri: change.newUri, kind: 'create' });
    } else {
      all.push({ uri: change.uri, kind: change.kind });
    }
  }
  const first = new Map<string, Touched>();
  for (const one of all) {
    first.set(one.uri, first.get(one.uri) ?? one);
  }
  return [...first.values()];
}

/** The message for an edit that wasn't applied. */
export function refusal(name: string, reason: Reason): string {
  switch (reason) {
    case 'setting':
      return l10n.t("Nothing was changed, because of '{0}': a setting makes it read-only, files.readonlyInclude or files.readonlyFromPermissions. Change the setting, and apply again.", name);
    case 'permissions':
      return l10n.t("Nothing was changed, because of '{0}': you don't have permission to write it. Change its permissions, and apply again.", name);
    case 'system':
      return l10n.t("Nothing was changed, because of '{0}': it is on a read-only file system. Save a copy elsewhere, and apply again.", name);
  }
}
