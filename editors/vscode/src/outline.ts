/** A symbol of the outline, with the fields used here. */
export interface Entry {
  readonly kind: number;
  children: Entry[];
}

/** The outline without headings, which VS Code's own Markdown support lists; their children move up. */
export function withoutHeadings<T extends Entry>(symbols: readonly T[], heading: number): T[] {
  return symbols.flatMap((symbol) => {
    const children = withoutHeadings(symbol.children as T[], heading);
    if (symbol.kind === heading) {
      return children;
    }
    symbol.children = children;
    return [symbol];
  });
}
