/** Settings of this extension alone; everything else in the section is the server's. */
const OWN = new Set(['server', 'trace']);

/** What the server is to know of the section `agentmd`. */
export function forServer(section: unknown): Record<string, unknown> {
  if (typeof section !== 'object' || section === null) {
    return {};
  }
  return Object.fromEntries(Object.entries(section).filter(([name, value]) => !OWN.has(name) && value !== undefined && value !== null));
}
