// Finds a symbol in a formula by comparing MathML elements. Ignores the spaces, groups and stretched operators that TeX adds.

/** A MathML element, from the page or from `parseFormula`. */
export interface FormulaElement {
  readonly localName: string;
  readonly textContent: string | null;
  readonly children: Iterable<FormulaElement>;
}

const GROUP_TAGS = new Set(['math', 'mrow', 'mpadded', 'mstyle', 'semantics']);
const INVISIBLE_TEXT = /^[\u2061-\u2064\u200b]*$/;

const isGroup = ({ localName }: FormulaElement): boolean => GROUP_TAGS.has(localName);
const isEmpty = ({ localName, textContent }: FormulaElement): boolean =>
  localName === 'mspace' || (localName === 'mo' && INVISIBLE_TEXT.test(textContent ?? ''));

const flattenChildren = (parent: FormulaElement): FormulaElement[] =>
  [...parent.children].flatMap((child) => (isEmpty(child) ? [] : isGroup(child) ? flattenChildren(child) : [child]));

function serialize(element: FormulaElement): string {
  const children = [...element.children];
  if (children.length === 0) return `${element.localName}:${(element.textContent ?? '').trim()}`;
  return `${element.localName}(${children.map((child) => (isGroup(child) ? `[${flattenChildren(child).map(serialize).join(' ')}]` : serialize(child))).join(' ')})`;
}

/** Lists the element sequences in which a symbol may occur: the contents of each group, and each part of a fraction or script. */
function collectSequences(element: FormulaElement): FormulaElement[][] {
  const children = [...element.children];
  const ownSequences = isGroup(element) ? [flattenChildren(element)] : children.filter((child) => !isGroup(child)).map((child) => [child]);
  return [...ownSequences, ...children.flatMap(collectSequences)];
}

/** All elements of a formula that match the symbol; empty if the formula does not contain it. */
export function findSymbol<Element extends FormulaElement>(formula: Element, symbol: Element): Element[] {
  const serializedSymbol = flattenChildren(symbol).map(serialize);
  const matches = collectSequences(formula).flatMap((sequence) => {
    const serializedSequence = sequence.map(serialize);
    return sequence.flatMap((_, start) =>
      serializedSymbol.every((name, index) => serializedSequence[start + index] === name)
        ? sequence.slice(start, start + serializedSymbol.length)
        : [],
    );
  });
  // The cast is safe, because all matches are elements of `formula`.
  return serializedSymbol.length === 0 ? [] : ([...new Set(matches)] as Element[]);
}

interface ElementNode extends FormulaElement {
  textContent: string;
  readonly children: ElementNode[];
}

export function parseFormula(mathml: string): FormulaElement {
  const root: ElementNode = { localName: 'math', textContent: '', children: [] };
  const openElements = [root];
  for (const [, close, name, empty, text] of mathml.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>|([^<]+)/g)) {
    if (text !== undefined) for (const openElement of openElements) openElement.textContent += text;
    else if (close) openElements.pop();
    else {
      const element: ElementNode = { localName: name as string, textContent: '', children: [] };
      openElements.at(-1)?.children.push(element);
      if (!empty) openElements.push(element);
    }
  }
  return root;
}
