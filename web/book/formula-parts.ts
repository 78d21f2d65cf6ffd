// Finds a symbol in a formula by comparing MathML elements: in the page, which highlights the symbol, and at build time, when a missing symbol is
// rejected. TeX additions around the same letters are ignored: spaces, groups, and stretched operators.

/** A MathML element, of a page or of `formulaTree`. */
export interface FormulaElement {
  readonly localName: string;
  readonly textContent: string | null;
  readonly children: Iterable<FormulaElement>;
}

const GROUPS = new Set(['math', 'mrow', 'mpadded', 'mstyle', 'semantics']);
const INVISIBLE = /^[\u2061-\u2064\u200b]*$/;

const isGroup = ({ localName }: FormulaElement): boolean => GROUPS.has(localName);
const isEmpty = ({ localName, textContent }: FormulaElement): boolean =>
  localName === 'mspace' || (localName === 'mo' && INVISIBLE.test(textContent ?? ''));

/** The elements of a row, with groups expanded and spaces omitted. */
const row = (parent: FormulaElement): FormulaElement[] =>
  [...parent.children].flatMap((child) => (isEmpty(child) ? [] : isGroup(child) ? row(child) : [child]));

function serialize(element: FormulaElement): string {
  const children = [...element.children];
  if (children.length === 0) return `${element.localName}:${(element.textContent ?? '').trim()}`;
  return `${element.localName}(${children.map((child) => (isGroup(child) ? `[${row(child).map(serialize).join(' ')}]` : serialize(child))).join(' ')})`;
}

/** All rows of a formula: the contents of groups, and each part of a fraction or an index. */
function rows(element: FormulaElement): FormulaElement[][] {
  const children = [...element.children];
  const ownRows = isGroup(element) ? [row(element)] : children.filter((child) => !isGroup(child)).map((child) => [child]);
  return [...ownRows, ...children.flatMap(rows)];
}

/** All elements of a formula that match the symbol; empty if the formula does not contain it. */
export function symbolIn<Element extends FormulaElement>(formula: Element, symbol: Element): Element[] {
  const requested = row(symbol).map(serialize);
  const matches = rows(formula).flatMap((some) => {
    const names = some.map(serialize);
    return some.flatMap((_, at) =>
      requested.every((name, index) => names[at + index] === name) ? some.slice(at, at + requested.length) : [],
    );
  });
  // The matching elements have the type of the formula.
  return requested.length === 0 ? [] : ([...new Set(matches)] as Element[]);
}

interface Tree extends FormulaElement {
  textContent: string;
  readonly children: Tree[];
}

/** Parses MathML text into a tree of elements. */
export function formulaTree(mathml: string): FormulaElement {
  const top: Tree = { localName: 'math', textContent: '', children: [] };
  const open = [top];
  for (const [, close, name, empty, text] of mathml.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>|([^<]+)/g)) {
    if (text !== undefined) for (const one of open) one.textContent += text;
    else if (close) open.pop();
    else {
      const element: Tree = { localName: name as string, textContent: '', children: [] };
      open.at(-1)?.children.push(element);
      if (!empty) open.push(element);
    }
  }
  return top;
}
