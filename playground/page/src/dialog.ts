/** The page's dialog. The browser keeps the focus inside it, closes it with Escape, and returns the focus. */

import { button } from './editor';
import { element } from './element';

const dialog = element('dialog', HTMLDialogElement);
const title = element('dialog-title', HTMLElement);
const body = element('dialog-body', HTMLElement);
const buttons = element('dialog-buttons', HTMLElement);

/** Opens the dialog. `confirm` returns why it must stay open, if it must. */
export function open(heading: string, content: Node[], confirm?: { label: string; run: () => string | undefined }): void {
  title.textContent = heading;
  const problem = document.createElement('p');
  problem.className = 'problem';
  problem.setAttribute('role', 'alert');
  body.replaceChildren(...content, problem);
  const close = button(confirm ? 'Cancel' : 'Close', () => dialog.close());
  buttons.replaceChildren(close);
  if (confirm) {
    const accept = document.createElement('button');
    accept.type = 'submit';
    accept.className = 'primary';
    accept.textContent = confirm.label;
    buttons.append(accept);
  }
  const form = dialog.querySelector('form');
  if (form) {
    form.onsubmit = (event) => {
      event.preventDefault();
      const refused = confirm?.run();
      if (refused === undefined) {
        dialog.close();
      } else {
        problem.textContent = refused;
      }
    };
  }
  dialog.showModal();
  body.scrollTop = 0;
}

export function close(): void {
  dialog.close();
}
