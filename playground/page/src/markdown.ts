/** Markdown of agentmd as HTML. It quotes documents of strangers, so it contains no HTML of its own and loads nothing. */

import MarkdownIt from 'markdown-it';

const FILES = 'file:///workspace/';
const markdown = new MarkdownIt({ html: false, linkify: false }).disable('image');
markdown.validateLink = (url) => url.startsWith(FILES) || url.startsWith('https://');
markdown.renderer.rules['fence'] = (tokens, index) => {
  const token = tokens[index];
  const [language = ''] = (token?.info ?? '').split(' ');
  const text = token?.content ?? '';
  return language === 'diff' ? diff(text) : `<pre tabindex="0"><code>${escape(text)}</code></pre>`;
};

export function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A diff, each line marked by what it is: with its sign, not only with a colour. */
export function diff(text: string): string {
  const line = (line: string): string => {
    const sign = line[0];
    const kind = sign === '+' ? 'added' : sign === '-' ? 'removed' : sign === '@' ? 'place' : 'same';
    return `<span class="${kind}">${escape(line) || ' '}</span>`;
  };
  const lines = text.replace(/\n$/, '').split('\n');
  return `<pre class="diff" tabindex="0"><code>${lines.map(line).join('\n')}</code></pre>`;
}

/** Renders Markdown. `follow` opens a file of the workspace at a line. */
export function render(text: string, follow: (path: string, line: number) => void): HTMLElement {
  const page = document.createElement('div');
  page.className = 'markdown';
  page.innerHTML = markdown.render(text);
  for (const link of page.querySelectorAll('a')) {
    const url = link.getAttribute('href') ?? '';
    if (url.startsWith(FILES)) {
      const [path = '', fragment = ''] = url.slice(FILES.length).split('#');
      link.href = '#';
      link.addEventListener('click', (event) => {
        event.preventDefault();
        follow(decodeURIComponent(path), Number(/^L(\d+)/.exec(fragment)?.[1] ?? 1) - 1);
      });
    } else {
      link.target = '_blank';
      link.rel = 'noreferrer';
    }
  }
  return page;
}
