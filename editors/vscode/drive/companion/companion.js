// Other extensions that start agentmd for Markdown as well: one that shows agentmd's findings as its own, and one that really
// starts it. Also provides the files of a virtual workspace.
const { spawn } = require('node:child_process');
const os = require('node:os');
const path = require('node:path');
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

/** Starts the same program for the same document, as another client in this VS Code. */
function startTwin(folder) {
  const program = spawn(path.join(os.homedir(), '.cargo', 'bin', 'agentmd'), ['server'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    program.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const workspaceFolders = [{ uri: folder.uri.toString(), name: folder.name }];
  send({ id: 1, method: 'initialize', params: { processId: process.pid, rootUri: folder.uri.toString(), workspaceFolders, capabilities: { window: { showMessage: {} } } } });
  send({ method: 'initialized', params: {} });
  const uri = vscode.Uri.joinPath(folder.uri, 'flow.md').toString();
  send({ method: 'textDocument/didOpen', params: { textDocument: { uri, languageId: 'markdown', version: 1, text: FILES['/flow.md'] } } });
  return { dispose: () => program.kill() };
}

exports.activate = async ({ subscriptions }) => {
  subscriptions.push(vscode.commands.registerCommand('companion.where', () => vscode.window.showInformationMessage(`remote: ${vscode.env.remoteName}`)));
  subscriptions.push(vscode.workspace.registerFileSystemProvider('vscode-vfs', new Nowhere(), { isReadonly: true }));
  if (!vscode.workspace.workspaceFolders?.some(({ uri }) => uri.scheme === 'file')) {
    return;
  }
  const [folder] = vscode.workspace.workspaceFolders;
  if ((await vscode.workspace.findFiles('.twin')).length > 0) {
    subscriptions.push(startTwin(folder));
    return;
  }
  if ((await vscode.workspace.findFiles('.companion')).length === 0) {
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
