import * as path from 'node:path';
import * as l10n from '@vscode/l10n';
import { isOlder, readVersion, type Version } from './version';

/** Where a program was found: the setting, a folder of the workspace, the PATH, or the extension's own folder. */
export type Origin = 'setting' | 'workspace' | 'path' | 'extension';

export interface Program {
  readonly path: string;
  readonly version: Version;
  readonly origin: Origin;
}

/** Why the program wasn't found, for the user. */
export interface Missing {
  readonly kind: 'missing' | 'old' | 'broken' | 'setting';
  readonly message: string;
}

/** Everything this module needs from the machine. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly architecture: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether an executable file exists there. */
  isProgram(file: string): Promise<boolean>;
  /** The output of `FILE --version`, or an error. */
  printVersion(file: string): Promise<string>;
}

export interface Wanted {
  /** The setting as written. */
  readonly setting: string;
  readonly folders: readonly string[];
  /** Programs from the workspace run only if it's trusted. */
  readonly trusted: boolean;
  readonly extension: string;
  readonly minimum: Version;
  /** Whether a program from a workspace folder may run. Until then, not even its version is queried. */
  consents(folder: string, program: string): Promise<boolean>;
}

interface Place {
  readonly path: string;
  readonly origin: Origin;
}

function paths(machine: Machine): path.PlatformPath {
  return machine.platform === 'win32' ? path.win32 : path.posix;
}

function join(machine: Machine, ...parts: string[]): string {
  return paths(machine).join(...parts);
}

function isInside(machine: Machine, folder: string, file: string): boolean {
  const between = paths(machine).relative(folder, file);
  return between !== '..' && !between.startsWith(`..${paths(machine).sep}`) && !paths(machine).isAbsolute(between);
}

function fileName(machine: Machine): string {
  return machine.platform === 'win32' ? 'agentmd.exe' : 'agentmd';
}

/**
 * The folders of the PATH, and cargo's install folder, which an editor started from the desktop may not have in its PATH.
 * Relative folders and folders of an untrusted workspace are left out.
 */
function searchPath(machine: Machine, wanted: Wanted): string[] {
  const windows = machine.platform === 'win32';
  const written = machine.environment['PATH'] ?? machine.environment['Path'] ?? '';
  const folders = written.split(windows ? ';' : ':').filter((folder) => paths(machine).isAbsolute(folder));
  const all = [...folders, join(machine, machine.home, '.cargo', 'bin')];
  return wanted.trusted ? all : all.filter((folder) => !wanted.folders.some((own) => isInside(machine, own, folder)));
}

/** Resolves the setting: a path with `~` and `${workspaceFolder}`, relative to the first folder, or a name in the PATH. */
export function settingPlaces(machine: Machine, wanted: Wanted): string[] {
  const first = wanted.folders[0] ?? '';
  const written = wanted.setting.trim().replaceAll('${workspaceFolder}', first).replace(/^~(?=$|[\\/])/, machine.home);
  if (paths(machine).isAbsolute(written)) {
    return [written];
  }
  if (/[\\/]/.test(written)) {
    return wanted.folders.map((folder) => join(machine, folder, written));
  }
  return searchPath(machine, wanted).map((folder) => join(machine, folder, written));
}

/** Places to look for the program, best first. */
export function places(machine: Machine, wanted: Wanted): Place[] {
  const name = fileName(machine);
  const scripts = machine.platform === 'win32' ? 'Scripts' : 'bin';
  const own = wanted.trusted
    ? wanted.folders.flatMap((folder) => [
        // In `.bin`, npm puts a script that starts this program; on Windows, only a shell can run it.
        join(machine, folder, 'node_modules', '@agentmd', `${machine.platform}-${machine.architecture}`, 'bin', name),
        join(machine, folder, 'node_modules', '.bin', name),
        join(machine, folder, '.venv', scripts, name),
        join(machine, folder, 'venv', scripts, name),
      ])
    : [];
  return [
    ...own.map((found): Place => ({ path: found, origin: 'workspace' })),
    ...searchPath(machine, wanted).map((folder): Place => ({ path: join(machine, folder, name), origin: 'path' })),
    { path: join(machine, wanted.extension, 'bin', name), origin: 'extension' },
  ];
}

async function look(machine: Machine, place: Place, wanted: Wanted): Promise<Program | Missing | undefined> {
  const { minimum } = wanted;
  if (!(await machine.isProgram(place.path))) {
    return undefined;
  }
  const folder = wanted.folders.find((own) => isInside(machine, own, place.path));
  if (folder !== undefined && !(await wanted.consents(folder, place.path))) {
    return undefined;
  }
  let printed: string;
  try {
    printed = await machine.printVersion(place.path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { kind: 'broken', message: l10n.t("'{0}' cannot be run: {1}", place.path, reason) };
  }
  const version = readVersion(printed);
  if (!version || !/^agentmd\b/.test(printed.trim())) {
    return { kind: 'broken', message: l10n.t("'{0}' isn't agentmd: '--version' printed '{1}'.", place.path, printed.trim().slice(0, 80)) };
  }
  if (isOlder(version, minimum)) {
    const message = l10n.t("agentmd {0} in '{1}' is too old: this extension needs {2} or newer. Install a newer one.", version.text, place.path, minimum.text);
    return { kind: 'old', message };
  }
  return { path: place.path, version, origin: place.origin };
}

/** The program to start: the one in the setting if set, otherwise the first that is new enough. */
export async function find(machine: Machine, wanted: Wanted): Promise<Program | Missing> {
  if (wanted.setting.trim() !== '') {
    for (const file of settingPlaces(machine, wanted)) {
      const found = await look(machine, { path: file, origin: 'setting' }, wanted);
      if (found) {
        return found;
      }
    }
    const message = l10n.t("The setting 'agentmd.server.path' is '{0}', but that program doesn't exist. Change the setting, or clear it to search the PATH.", wanted.setting);
    return { kind: 'setting', message };
  }
  let worse: Missing | undefined;
  const seen = new Set<string>();
  for (const place of places(machine, wanted)) {
    if (seen.has(place.path)) {
      continue;
    }
    seen.add(place.path);
    const found = await look(machine, place, wanted);
    if (found && 'version' in found) {
      return found;
    }
    worse ??= found;
  }
  const message = l10n.t("agentmd isn't installed, or isn't in the PATH. Install it, or choose the program.");
  return worse ?? { kind: 'missing', message };
}

export function isProgramFound(found: Program | Missing): found is Program {
  return 'version' in found;
}
