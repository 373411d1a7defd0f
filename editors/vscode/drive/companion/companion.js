// A neighbour that shows agentmd's findings as its own, as an extension does that starts agentmd for Markdown as well; and
// the files of a virtual workspace.
const vscode = require('vscode');

const FILES = {
  '/flow.md': '---\nname: flow\ndescription: Sorts the tickets of a day\ninput:\n  type: object\n  properties:\n    team: { type: string }\n  required: [team]\noutput:\n  type: object\n  properties:\n    urgent: { type: string }\n  required: [urgent]\nimports:\n  - ./other.md\n---\n\nFor {{ .taem }} see [the other](./other.md).\n',
  '/answer.md': 'It was too quiet.\n\nsrc/greet.py\n<<<<<<< SEARCH\ngreet("world")\n=======\ngreet("Hei")\n>>>>>>> REPLACE\n',
};

class Nowhere {
  onDidChangeFile = new vscode.EventEmitter().event;
  watch() {
    return { dispose() {} };
  }
  stat({ path }) {
    if (path === '/') {
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    if (!(path in FILES)) {
      throw vscode.FileSystemError.FileNotFound();
    }
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: FILES[path].length };
  }
  readDirectory() {
    return Object.keys(FILES).map((path) => [path.slice(1), vscode.FileType.File]);
  }
  readFile(uri) {
    this.stat(uri);
    return new TextEncoder().encode(FILES[uri.path]);
  }
  writeFile() {
    throw vscode.FileSystemError.NoPermissions();
  }
  createDirectory() {}
  delete() {}
  rename() {}
}

exports.activate = ({ subscriptions }) => {
  subscriptions.push(vscode.workspace.registerFileSystemProvider('vscode-vfs', new Nowhere(), { isReadonly: true }));
  if (!vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file')) {
    return;
  }
  const shown = vscode.languages.createDiagnosticCollection('neighbour');
  const repeat = ({ uris }) => {
    for (const uri of uris) {
      const first = vscode.languages.getDiagnostics(uri).filter((finding) => finding.source === 'agentmd' && !(shown.get(uri) ?? []).includes(finding));
      if (first.length > 0 && (shown.get(uri) ?? []).length === 0) {
        shown.set(uri, first.map((finding) => Object.assign(new vscode.Diagnostic(finding.range, finding.message, finding.severity), { source: finding.source, code: finding.code })));
      }
    }
  };
  subscriptions.push(shown, vscode.languages.onDidChangeDiagnostics(repeat));
};
