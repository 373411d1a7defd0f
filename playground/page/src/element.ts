/** The element of the page with this id. */
export function element<Kind extends HTMLElement>(id: string, kind: abstract new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) {
    throw new Error(`the page has no ${id}`);
  }
  return found;
}

/** A message of agentmd, in which backticks quote code. */
export function quoted(message: string): (Node | string)[] {
  return message.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? make('code', '', part) : part));
}

/** A new element with text in it. */
export function make<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string, ...content: (Node | string)[]): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}
