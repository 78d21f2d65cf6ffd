// HTML read by parse5, and changed where it was written: what nobody changes stays as it is, letter for letter.
import { parse, parseFragment } from 'parse5';
import { escaped } from './plain-text.mjs';

// Scripts that do not run: what stands in <noscript> are elements.
const OPTIONS = { sourceCodeLocationInfo: true, scriptingEnabled: false };

const childrenOf = (node) => node.content?.childNodes ?? node.childNodes ?? [];

/** A node and all below it, in the order of the text; what stands in a template counts. @returns {Generator<any>} */
function* nodesOf(node) {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

/** Words of a node. Elements are apart: “a<b>c</b>” is “a c”. @param {string[]} leftOut elements without words */
const wordsOf = (node, leftOut) =>
  leftOut.includes(node.nodeName)
    ? ''
    : node.nodeName === '#text'
      ? node.value
      : childrenOf(node)
          .map((one) => wordsOf(one, leftOut))
          .join(' ');

const tidy = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** An element as it is written. */
class WrittenElement {
  #node;
  #html;
  #edit;

  constructor(node, html, edit) {
    this.#node = node;
    this.#html = html;
    this.#edit = edit;
  }

  get #place() {
    return this.#node.sourceCodeLocation;
  }

  get #tag() {
    return this.#place.startTag ?? this.#place;
  }

  get name() {
    return this.#node.tagName;
  }

  /** Its attributes by name. @returns {Record<string, string>} */
  get attributes() {
    return Object.fromEntries(this.#node.attrs.map(({ name, value }) => [name, value]));
  }

  get classes() {
    return (this.attributes.class ?? '').split(/\s+/);
  }

  /** Where it begins. */
  get start() {
    return this.#place.startOffset;
  }

  /** What stands between its tags, as it is written. */
  get inner() {
    return this.#html.slice(this.#tag.endOffset, this.#place.endTag?.startOffset ?? this.#tag.endOffset);
  }

  /** Its words. */
  get text() {
    return wordsOf(this.#node, []);
  }

  /** Elements within it; in a template those that are to become its shadow root, too. */
  get within() {
    return [...nodesOf(this.#node)]
      .filter((node) => node !== this.#node && node.tagName && node.sourceCodeLocation)
      .map((node) => new WrittenElement(node, this.#html, this.#edit));
  }

  /** Gives an attribute a value, or takes it away. @param {string | undefined} value */
  set(name, value) {
    const written = this.#place.attrs?.[name];
    if (value === undefined) {
      // With the space before it.
      if (written) this.#edit(written.startOffset - 1, written.endOffset, '');
      return;
    }
    const text = `${name}="${escaped(value)}"`;
    const behindName = this.#tag.startOffset + 1 + this.name.length;
    if (written) this.#edit(written.startOffset, written.endOffset, text);
    else this.#edit(behindName, behindName, ` ${text}`);
  }

  rename(name) {
    const { startTag, endTag } = this.#place;
    this.#edit(startTag.startOffset + 1, startTag.startOffset + 1 + this.name.length, name);
    this.#edit(endTag.startOffset + 2, endTag.startOffset + 2 + this.name.length, name);
  }

  /** Puts HTML in the place of the element. */
  replace(html) {
    this.#edit(this.#place.startOffset, this.#place.endOffset, html);
  }

  before(html) {
    this.#edit(this.#place.startOffset, this.#place.startOffset, html);
  }

  after(html) {
    this.#edit(this.#place.endOffset, this.#place.endOffset, html);
  }

  /** Puts HTML at its end. */
  append(html) {
    this.#edit(this.#place.endTag.startOffset, this.#place.endTag.startOffset, html);
  }
}

/** @param {string} html a page, or a part of one */
export function readHtml(html) {
  const root = /^\s*<!doctype\b/i.test(html) ? parse(html, OPTIONS) : parseFragment(html, OPTIONS);
  const edits = [];
  const edit = (from, to, text) => edits.push({ from, to, text });
  // Elements that nobody has written, such as the head of a page without one, have no place; those that parse5 repeats share one.
  const places = new Map();
  for (const node of nodesOf(root))
    if (node.tagName && node.sourceCodeLocation && !places.has(node.sourceCodeLocation.startOffset))
      places.set(node.sourceCodeLocation.startOffset, new WrittenElement(node, html, edit));
  return {
    /** @type {WrittenElement[]} in the order of the text */
    elements: [...places.values()],
    /** The HTML with all changes. Where an element is replaced, changes within it are lost. */
    written() {
      let text = '';
      let at = 0;
      // Of changes at one place the first made comes first, and what is put before an element before what replaces it.
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
 * The words of HTML in parts: one before the first element of a name, and one from each of these.
 * @param {string} html
 * @param {{ leftOut: string[], at?: string }} how elements whose words are left out; the name
 * @returns {{ id?: string, heading: string, text: string }[]} `heading`: the words of that element, which are not in `text`
 */
export function partsOf(html, how) {
  const { leftOut, at } = how;
  /** @type {{ id?: string, heading: string, words: string[] }[]} */
  const parts = [{ heading: '', words: [] }];
  const visit = (node) => {
    if (leftOut.includes(node.nodeName)) return;
    if (node.nodeName === '#text') parts.at(-1)?.words.push(node.value);
    else if (node.nodeName === at)
      parts.push({ id: node.attrs.find(({ name }) => name === 'id')?.value, heading: tidy(wordsOf(node, leftOut)), words: [] });
    else childrenOf(node).forEach(visit);
  };
  visit(parseFragment(html, OPTIONS));
  return parts.map(({ words, ...part }) => ({ ...part, text: tidy(words.join(' ')) }));
}
