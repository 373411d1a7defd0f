import * as l10n from '@vscode/l10n';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';

const ANNOTATION = 'agentmd.preview';
/** The label of the part that changes nothing. */
export function nothingChanges(): string {
  return l10n.t('Nothing changes here');
}

/**
 * Adds a part that changes nothing and needs confirmation: VS Code previews an edit if one of its parts needs
 * confirmation, and ticks the others.
 */
export function shown(edit: WorkspaceEdit, asked: string): WorkspaceEdit {
  const start = { line: 0, character: 0 };
  const nothing = { textDocument: { uri: asked, version: null }, edits: [{ range: { start, end: start }, newText: '', annotationId: ANNOTATION }] };
  const changes = Object.entries(edit.changes ?? {}).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }));
  return {
    documentChanges: [...(edit.documentChanges ?? []), ...changes, nothing],
    changeAnnotations: { ...edit.changeAnnotations, [ANNOTATION]: { label: nothingChanges(), needsConfirmation: true } },
  };
}
