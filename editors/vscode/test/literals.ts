import { parse, type Node } from 'acorn';
import { ancestor } from 'acorn-walk';
import { transformSync } from 'esbuild';

/** A placeholder for an interpolated value. */
const VALUE = '\0';
/** Names that are the same in every language. */
const NAMES = /\$\([\w~-]+\)|agentmd(?: (?:test|server))?|markdownlang/g;
/** Two words, or one next to a value. */
const WORDS = /\p{L}{2,}[^\p{L}\0]* \p{L}{2,}|\0[^\p{L}\0]* \p{L}{2,}|\p{L}{2,}[^\p{L}\0]* \0/u;
const CAPITALISED = /^\p{Lu}\p{Ll}+…?$/u;
/** The properties of an object that VS Code shows. */
const SHOWN = new Set(['title', 'label', 'placeHolder', 'placeholder', 'detail', 'description', 'tooltip', 'openLabel', 'message', 'reason', 'status']);
/** Calls that show their arguments. */
const SHOWS = /^(?:show\w+Message|setStatusBarMessage|Error|TestMessage|MarkdownString|TreeItem|createTestRun|createRunProfile|createWebviewPanel)$/;
/** Calls that compare a text with their argument. */
const COMPARES = /^(?:startsWith|endsWith|includes|match|test)$/;
/** A content security policy, and a folder name of Python's. */
const OTHERS = /^default-src '|^Scripts$/;
/** HTML attributes that are shown or read aloud. */
const ATTRIBUTES = /(?:aria-label|title|placeholder|alt)="([^"]*)"/g;

interface Any extends Node {
  readonly [name: string]: unknown;
}

function nameOf(node: Any | undefined): string {
  switch (node?.type) {
    case 'Identifier':
      return node['name'] as string;
    case 'MemberExpression':
      return nameOf(node['property'] as Any);
    default:
      return '';
  }
}

/** Whether this is a call of `l10n.t` or `vscode.l10n.t`, or one that writes to the log, which isn't translated. */
function isTranslated(call: Any): boolean {
  const callee = call['callee'] as Any;
  if (call.type !== 'CallExpression' || callee.type !== 'MemberExpression') {
    return false;
  }
  const [owner, name] = [nameOf(callee['object'] as Any), nameOf(callee)];
  return (owner === 'l10n' && name === 't') || (owner === 'output' && ['info', 'warn', 'error'].includes(name));
}

function isText(written: string): boolean {
  return WORDS.test(written.replace(NAMES, ''));
}

function letters(written: string): boolean {
  return /\p{L}/u.test(written.replace(NAMES, ''));
}

/** The texts of a page that are shown or read aloud. */
export function textsOf(html: string): string[] {
  const body = html.replace(/<(style|script)\b[^>]*>[^]*?<\/\1>/g, '');
  const attributes = [...body.matchAll(ATTRIBUTES)].map(([, text]) => text ?? '');
  return [...attributes, ...body.replace(/<[^>]*>/g, '\n').split('\n')].map((text) => text.trim()).filter(letters);
}

function written(node: Any): string {
  return node.type === 'Literal' ? String(node['value']) : (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(VALUE);
}

/** Whether a text is only looked up or compared. */
function isKey(parent: Any | undefined): boolean {
  return parent?.type === 'BinaryExpression' || parent?.type === 'SwitchCase' || parent?.type === 'MemberExpression' || (parent?.type === 'CallExpression' && COMPARES.test(nameOf(parent['callee'] as Any)));
}

function isShown(node: Any, above: readonly Any[]): boolean {
  const parent = above.at(-2);
  if (parent?.type === 'Property' && parent['value'] === node) {
    return SHOWN.has(nameOf(parent['key'] as Any));
  }
  if (parent?.type === 'AssignmentExpression') {
    return SHOWN.has(nameOf(parent['left'] as Any));
  }
  const called = parent?.type === 'CallExpression' || parent?.type === 'NewExpression';
  return called && SHOWS.test(nameOf(parent['callee'] as Any)) && !/^[\w.-]+$/.test(written(node));
}

/** The texts of a program outside of calls of `l10n.t`. */
function inProgram(code: string): string[] {
  const found: string[] = [];
  const look = (node: Any, above: readonly Any[]): void => {
    const text = node.type === 'Literal' && typeof node['value'] !== 'string' ? '' : written(node);
    const parent = above.at(-2);
    const named = parent?.type === 'VariableDeclarator' ? nameOf(parent['id'] as Any) : '';
    if (text === '' || above.some(isTranslated) || named === 'STYLE' || OTHERS.test(text)) {
      return;
    }
    if (named === 'SCRIPT') {
      found.push(...inProgram(text));
    } else if (/<\w[^>]*>/.test(text)) {
      found.push(...textsOf(text));
    } else if (isText(text) || (CAPITALISED.test(text) && !isKey(parent)) || (letters(text) && isShown(node, above))) {
      found.push(text);
    }
  };
  ancestor(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {
    Literal: (node, _, above) => look(node as unknown as Any, above as unknown as Any[]),
    TemplateLiteral: (node, _, above) => look(node as unknown as Any, above as unknown as Any[]),
  });
  return found.map((text) => text.replaceAll(VALUE, '{}'));
}

/** The texts in the source of a module that can't be translated. */
export function literals(source: string): string[] {
  return inProgram(transformSync(source, { loader: 'ts', target: 'esnext' }).code);
}
