/** Settings of the extension only; everything else in the section belongs to the server. */
const OWN = new Set(['server', 'trace']);

/** The part of the section `agentmd` that the server gets. */
export function forServer(section: unknown): Record<string, unknown> {
  if (typeof section !== 'object' || section === null) {
    return {};
  }
  return Object.fromEntries(Object.entries(section).filter(([name, value]) => !OWN.has(name) && value !== undefined && value !== null));
}
