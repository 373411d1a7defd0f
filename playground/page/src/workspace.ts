/** The files of the page, and the links that carry them. */

export interface Workspace {
  files: Map<string, string>;
  active: string;
  /** The clients to judge; empty: those that the files are for. */
  clients: string[];
}

export interface Example {
  id: string;
  title: string;
  active: string;
  clients?: string[];
  files: Record<string, string>;
}

/** Larger links don't survive most of the ways that links take. */
export const LONGEST_LINK = 100_000;
const LARGEST = 4 * 1024 * 1024;

export function ofExample(example: Example): Workspace {
  return { files: new Map(Object.entries(example.files)), active: example.active, clients: example.clients ?? [] };
}

/** Why a path can't be one; undefined if it can. */
export function refusal(path: string, files: ReadonlyMap<string, string>): string | undefined {
  if (path.trim() === '') {
    return 'Enter a path, such as .claude/skills/my-skill/SKILL.md.';
  }
  if (/^\/|\\|(^|\/)\.{0,2}(\/|$)|\p{Cc}/u.test(path)) {
    return 'Use a relative path with forward slashes and without “..”.';
  }
  if (files.has(path)) {
    return `${path} already exists.`;
  }
  for (const other of files.keys()) {
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) {
      return `${other} already exists, so one of the two would be both a file and a folder.`;
    }
  }
  return undefined;
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: ReadableWritablePair<Uint8Array, BufferSource>): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    length += value.length;
    if (length > LARGEST) {
      await reader.cancel();
      throw new Error('it unpacks to more than 4 MB');
    }
    parts.push(value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A workspace as letters that a URL can contain. */
export async function encode(workspace: Workspace): Promise<string> {
  const { files, active, clients } = workspace;
  const text = JSON.stringify({ files: Object.fromEntries(files), active, clients });
  const packed = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  let letters = '';
  for (const byte of packed) {
    letters += String.fromCharCode(byte);
  }
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** The workspace of a link. Throws if it isn't one. */
export async function decode(code: string): Promise<Workspace> {
  const bytes = Uint8Array.from(atob(code.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
  const text = new TextDecoder('utf-8', { fatal: true }).decode(await through(bytes, new DecompressionStream('deflate-raw')));
  const found: unknown = JSON.parse(text);
  if (!found || typeof found !== 'object' || !('files' in found) || !found.files || typeof found.files !== 'object') {
    throw new Error('it contains no files');
  }
  const files = new Map<string, string>();
  for (const [path, text] of Object.entries(found.files)) {
    if (typeof text !== 'string' || refusal(path, files) !== undefined) {
      throw new Error(`it contains a file that isn't one: ${path}`);
    }
    files.set(path, text);
  }
  const first = files.keys().next().value;
  if (first === undefined) {
    throw new Error('it contains no files');
  }
  const active = 'active' in found && typeof found.active === 'string' && files.has(found.active) ? found.active : first;
  const clients = 'clients' in found && Array.isArray(found.clients) ? found.clients.filter((name) => typeof name === 'string') : [];
  return { files, active, clients };
}
