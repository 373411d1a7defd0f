/** Versions as `agentmd --version` prints them. */
export interface Version {
  readonly text: string;
  readonly parts: readonly [number, number, number];
}

/** Reads `agentmd 0.1.0` or `0.1.0`; `undefined` without a version. */
export function readVersion(printed: string): Version | undefined {
  const found = /(\d+)\.(\d+)\.(\d+)(?:-[\w.]+)?/.exec(printed);
  if (!found) {
    return undefined;
  }
  return { text: found[0], parts: [Number(found[1]), Number(found[2]), Number(found[3])] };
}

/** Whether `version` is older than `minimum`. A suffix after a hyphen is ignored. */
export function isOlder(version: Version, minimum: Version): boolean {
  for (const [index, part] of version.parts.entries()) {
    const wanted = minimum.parts[index] ?? 0;
    if (part !== wanted) {
      return part < wanted;
    }
  }
  return false;
}
