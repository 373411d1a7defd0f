import type { WorkspaceEdit } from 'vscode-languageserver-protocol';

const ANNOTATION = 'agentmd.preview';

/**
 * The edit with a part that changes nothing and has to be confirmed: VS Code shows an edit before it makes it where one
 * part has to be confirmed, and ticks the others.
 */
export function shown(edit: WorkspaceEdit, asked: string): WorkspaceEdit {
  const start = { line: 0, character: 0 };
  const nothing = { textDocument: { uri: asked, version: null }, edits: [{ range: { start, end: start }, newText: '', annotationId: ANNOTATION }] };
  const changes = Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
  return {
    documentChanges: [...(edit.documentChanges ?? []), ...changes, nothing],
    changeAnnotations: { ...edit.changeAnnotations, [ANNOTATION]: { label: 'Nothing changes here', needsConfirmation: true } },
  };
}
