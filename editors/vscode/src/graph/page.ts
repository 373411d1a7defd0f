import * as l10n from '@vscode/l10n';
import { escaped } from '../html';
import { language, number } from '../translation';
import { BOX, type Box, type Drawing, type Line } from './layout';

const STYLE = `
body { color: var(--vscode-editor-foreground); background: var(--vscode-editor-background); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); padding: 0 1em 1em; }
header { position: sticky; left: 0; top: 0; display: flex; flex-wrap: wrap; gap: 1em; align-items: center; padding: .8em 0; background: var(--vscode-editor-background); }
input { color: var(--vscode-input-foreground); background: var(--vscode-input-background); border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, transparent)); padding: .3em .6em; min-width: 16em; font: inherit; }
input:focus { outline: 1px solid var(--vscode-focusBorder); }
svg { display: block; font-family: var(--vscode-font-family); }
a { cursor: pointer; }
rect { fill: var(--vscode-editorWidget-background); stroke: var(--vscode-contrastBorder, var(--vscode-editorWidget-border, var(--vscode-foreground))); }
a:focus { outline: none; }
a:hover rect { stroke: var(--vscode-focusBorder); }
a:focus rect { stroke: var(--vscode-focusBorder); stroke-width: 3; }
.missing rect { stroke: var(--vscode-errorForeground); stroke-dasharray: 5 4; }
.name { fill: var(--vscode-editor-foreground); font-size: 13px; }
.kind { fill: var(--vscode-descriptionForeground); font-size: 11px; }
.missing .kind { fill: var(--vscode-errorForeground); }
path { fill: none; stroke: var(--vscode-contrastBorder, var(--vscode-descriptionForeground)); }
path.dead { stroke: var(--vscode-errorForeground); stroke-dasharray: 5 4; }
marker path { fill: var(--vscode-descriptionForeground); stroke: none; }
.why { fill: var(--vscode-descriptionForeground); font-size: 11px; paint-order: stroke; stroke: var(--vscode-editor-background); stroke-width: 5px; }
.spoken { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.other { opacity: .2; }
`;

const SCRIPT = `
const vscode = acquireVsCodeApi();
const boxes = [...document.querySelectorAll('a')];
const open = (box) => vscode.postMessage({ path: box.dataset.path, line: Number(box.dataset.line || 0) });
for (const box of boxes) {
  box.addEventListener('click', (event) => { event.preventDefault(); open(box); });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); open(box); }
  });
}
const search = document.getElementById('search');
search.addEventListener('input', () => {
  const wanted = search.value.trim().toLowerCase();
  const shown = boxes.filter((box) => box.getAttribute('aria-label').toLowerCase().includes(wanted));
  for (const box of boxes) box.classList.toggle('other', !shown.includes(box));
  document.getElementById('found').textContent = wanted === '' ? '' : search.dataset.found.replace('{0}', shown.length);
});
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') boxes.find((box) => !box.classList.contains('other'))?.focus();
});
`;

function box({ kind, label, path, line, spoken, x, y }: Box): string {
  return `<a class="${kind === 'missing' ? 'missing' : ''}" href="#" tabindex="0" role="link" aria-label="${escaped(spoken)}" data-path="${escaped(path)}" data-line="${line ?? 0}" transform="translate(${x} ${y})"><title>${escaped(spoken)}</title><rect width="${BOX.width}" height="${BOX.height}" rx="5"/><text class="name" x="10" y="17">${escaped(label)}</text> <text class="kind" x="10" y="32">${escaped(kind === 'missing' ? l10n.t('missing') : kind)}</text></a>`;
}

function line({ from, to, why }: Line): string {
  const [startY, endY] = [from.y + BOX.height / 2, to.y + BOX.height / 2];
  const forward = to.x > from.x;
  const startX = from.x + (forward ? BOX.width : 0);
  const endX = to.x + (forward ? 0 : BOX.width);
  const bend = (forward ? 1 : -1) * Math.max(40, Math.abs(endX - startX) / 2);
  const middle = { x: (startX + endX) / 2, y: (startY + endY) / 2 - 4 };
  const word = why === 'missing' ? '' : `<text class="why" text-anchor="middle" x="${middle.x}" y="${middle.y}">${escaped(why)}</text>`;
  return `<path class="${why === 'missing' ? 'dead' : ''}" marker-end="url(#arrow)" d="M${startX} ${startY} C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}"/>${word}`;
}

/** The page with a drawing. It loads nothing: the policy allows only the script and the style in it. */
export function graphPage(drawing: Drawing, nonce: string): string {
  const { boxes, lines, width, height } = drawing;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`;
  const missing = boxes.filter(({ kind }) => kind === 'missing').length;
  const [files, uses] = [number(boxes.length - missing), number(lines.length - missing)];
  const counted = missing > 0 ? l10n.t('{0} files, {1} uses, {2} missing', files, uses, number(missing)) : l10n.t('{0} files, {1} uses', files, uses);
  return `<!DOCTYPE html>
<html lang="${escaped(language())}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(l10n.t('Agent files'))}</title>
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1 class="spoken">${escaped(l10n.t('Map of agent files'))}</h1>
<header>
<input id="search" type="search" placeholder="${escaped(l10n.t('Search'))}" aria-label="${escaped(l10n.t('Search the agent files'))}" data-found="${escaped(l10n.t({ message: '{0} found', args: ['{0}'], comment: ['How many agent files a search has found'] }))}">
<span>${escaped(counted)}</span>
<span id="found" role="status" aria-live="polite"></span>
</header>
<svg role="group" aria-label="${escaped(l10n.t('Agent files and what they use'))}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>
${lines.map(line).join('\n')}
${boxes.map(box).join('\n')}
</svg>
</main>
<script nonce="${nonce}">${SCRIPT}</script>
</body>
</html>`;
}
