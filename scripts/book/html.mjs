// Parses HTML with parse5 and edits its text in place, so that unchanged parts keep every character.
import { parse, parseFragment } from 'parse5';
import { escaped } from './plain-text.mjs';

/** @typedef {import('parse5').DefaultTreeAdapterTypes.Node} Node */
/** @typedef {import('parse5').DefaultTreeAdapterTypes.Element} Element */
/** @typedef {NonNullable<Element['sourceCodeLocation']>} Location */
/** @typedef {(from: number, to: number, text: string) => void} Edit replaces a part of the source by a text */

// Without scripting, parse5 parses the content of <noscript> as elements.
const OPTIONS = { sourceCodeLocationInfo: true, scriptingEnabled: false };

/** @param {Node} node @returns {Node[]} */
const childrenOf = (node) => ('content' in node ? node.content.childNodes : 'childNodes' in node ? node.childNodes : []);

/** A node and its descendants in document order, including the content of templates. @param {Node} node @returns {Generator<Node>} */
function* nodesOf(node) {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

/**
 * The text of a node. Elements are separated by spaces: “a<b>c</b>” is “a c”.
 * @param {Node} node
 * @param {string[]} leftOut names of elements whose text is left out
 * @returns {string}
 */
const wordsOf = (node, leftOut) =>
  leftOut.includes(node.nodeName)
    ? ''
    : 'value' in node
      ? node.value
      : childrenOf(node)
          .map((one) => wordsOf(one, leftOut))
          .join(' ');

/** @param {string} text */
const tidy = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** An element of the source. */
class WrittenElement {
  #node;
  #place;
  #html;
  #edit;

  /** @param {Element} node @param {Location} location @param {string} html @param {Edit} edit */
  constructor(node, location, html, edit) {
    this.#node = node;
    this.#place = location;
    this.#html = html;
    this.#edit = edit;
  }

  get #tag() {
    return this.#place.startTag ?? this.#place;
  }

  get #end() {
    const { endTag } = this.#place;
    if (!endTag) throw new Error(`<${this.name}> has no end tag`);
    return endTag.startOffset;
  }

  get name() {
    return this.#node.tagName;
  }

  /** @returns {Record<string, string>} */
  get attributes() {
    return Object.fromEntries(this.#node.attrs.map(({ name, value }) => [name, value]));
  }

  get classes() {
    return (this.attributes.class ?? '').split(/\s+/);
  }

  /** The offset of the start tag. */
  get start() {
    return this.#place.startOffset;
  }

  /** The source between the tags. */
  get inner() {
    return this.#html.slice(this.#tag.endOffset, this.#place.endTag?.startOffset ?? this.#tag.endOffset);
  }

  get text() {
    return wordsOf(this.#node, []);
  }

  /** The elements within it, including the content of templates and thus of declarative shadow roots. @returns {WrittenElement[]} */
  get within() {
    return [...nodesOf(this.#node)].flatMap((node) => (node === this.#node ? [] : (writtenElement(node, this.#html, this.#edit) ?? [])));
  }

  /** Sets an attribute. @param {string} name @param {string | undefined} value undefined removes it */
  set(name, value) {
    const written = this.#place.attrs?.[name];
    if (value === undefined) {
      // The space before it is removed too.
      if (written) this.#edit(written.startOffset - 1, written.endOffset, '');
      return;
    }
    const text = `${name}="${escaped(value)}"`;
    const behindName = this.#tag.startOffset + 1 + this.name.length;
    if (written) this.#edit(written.startOffset, written.endOffset, text);
    else this.#edit(behindName, behindName, ` ${text}`);
  }

  /** @param {string} name */
  rename(name) {
    const { startOffset } = this.#tag;
    this.#edit(startOffset + 1, startOffset + 1 + this.name.length, name);
    this.#edit(this.#end + 2, this.#end + 2 + this.name.length, name);
  }

  /** @param {string} html */
  replace(html) {
    this.#edit(this.#place.startOffset, this.#place.endOffset, html);
  }

  /** @param {string} html */
  before(html) {
    this.#edit(this.#place.startOffset, this.#place.startOffset, html);
  }

  /** @param {string} html */
  after(html) {
    this.#edit(this.#place.endOffset, this.#place.endOffset, html);
  }

  /** @param {string} html */
  append(html) {
    this.#edit(this.#end, this.#end, html);
  }
}

/** @param {Node} node @param {string} html @param {Edit} edit @returns {WrittenElement | undefined} undefined: implied by the parser */
function writtenElement(node, html, edit) {
  // Elements implied by the parser, such as a missing <head>, have no location.
  return 'tagName' in node && node.sourceCodeLocation ? new WrittenElement(node, node.sourceCodeLocation, html, edit) : undefined;
}

/** @param {string} html a document or a fragment */
export function readHtml(html) {
  const root = /^\s*<!doctype\b/i.test(html) ? parse(html, OPTIONS) : parseFragment(html, OPTIONS);
  /** @type {{ from: number, to: number, text: string }[]} */
  const edits = [];
  /** @type {Edit} */
  const edit = (from, to, text) => {
    edits.push({ from, to, text });
  };
  // parse5 may clone an element to correct nesting; the clones have the same location.
  /** @type {Map<number, WrittenElement>} */
  const places = new Map();
  for (const node of nodesOf(root)) {
    const element = writtenElement(node, html, edit);
    if (element && !places.has(element.start)) places.set(element.start, element);
  }
  return {
    /** In the order of the source. */
    elements: [...places.values()],
    /** The HTML with all edits. Edits within a replaced element are dropped. */
    written() {
      let text = '';
      let at = 0;
      // At one offset edits apply in the order of the calls, and insertions before an element precede its replacement.
      for (const { from, to, text: instead } of edits.toSorted(
        (a, b) => a.from - b.from || Number(a.to > a.from) - Number(b.to > b.from),
      )) {
        if (from < at) continue;
        text += html.slice(at, from) + instead;
        at = to;
      }
      return text + html.slice(at);
    },
  };
}

/**
 * Splits the text of HTML at each element named `at`; the first part is the text before them.
 * @param {string} html
 * @param {{ leftOut: string[], at?: string }} how `leftOut`: names of elements whose text is left out
 * @returns {{ id?: string | undefined, heading: string, text: string }[]} `heading`: the text of that element, which is not in `text`
 */
export function partsOf(html, how) {
  const { leftOut, at } = how;
  /** @type {{ id?: string | undefined, heading: string, words: string[] }[]} */
  const parts = [{ heading: '', words: [] }];
  /** @param {Node} node */
  const visit = (node) => {
    if (leftOut.includes(node.nodeName)) return;
    if (node.nodeName === '#text' && 'value' in node) parts.at(-1)?.words.push(node.value);
    else if (node.nodeName === at && 'attrs' in node)
      parts.push({ id: node.attrs.find(({ name }) => name === 'id')?.value, heading: tidy(wordsOf(node, leftOut)), words: [] });
    else childrenOf(node).forEach(visit);
  };
  visit(parseFragment(html, OPTIONS));
  return parts.map(({ words, ...part }) => ({ ...part, text: tidy(words.join(' ')) }));
}

/** The text of HTML. @param {string} html @param {string[]} leftOut names of elements whose text is left out */
export const wordsIn = (html, leftOut) =>
  partsOf(html, { leftOut })
    .map(({ text }) => text)
    .join(' ');
