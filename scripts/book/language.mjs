// How a text sounds, as far as counting tells: short sentences, words of the house list, and sentences drawn at random for somebody to read.
import { createHash } from 'node:crypto';
import { readHtml, wordsIn } from './html.mjs';

/** A sentence of fewer words is short. Short ones are salt: a text made of them has no because, no so and no but. */
export const NINE = 9;

/** What an editor would touch, and what to say instead. */
export const LIST = [
  { words: /\b(?:stands?|stood|lies|lay|goes) (?:for\b|in\b|on\b|at\b|there\b|beside\b|above\b|below\b|to\b)/gi, say: 'is, are, has' },
  {
    words: /\b(?:row|rows|radians?|steps?|words?|numbers?|vectors?|bits?|times) an? (?:token|word|second|position|head|pair)\b/gi,
    say: 'per',
  },
  { words: /\band others (?=\(?\d{4})/gi, say: 'et al.' },
  { words: /\b(?:somebody|whoever|whosoever)\b/gi, say: 'someone, anyone who, you' },
  { words: /\bin place of\b/gi, say: 'instead of' },
  { words: /\bexchang(?:e|es|ed|ing)\b/gi, say: 'swap' },
  { words: /\bby heart\b/gi, say: 'memorise' },
  { words: /\b(?:refuted|supported) (?:as|at|for)\b/gi, say: 'not true in general; true, but' },
  { words: /\b(?:that|those) of (?!course)/gi, say: 'the noun again' },
  { words: /\bthe like of\b/gi, say: 'the same for' },
  { words: /\bas one does\b/gi, say: 'as is usual' },
  { words: /\bWhat (?:stands|lies)\b/g, say: 'normal order' },
];

/** Not sentences of the chapter: what figures say themselves, programs, tables, and the list of sources. */
const LEFT_OUT = ['template', 'svg', 'pre', 'table', 'style', 'script', 'form', 'phasor-figure'];
const PARAGRAPHS = ['p', 'li', 'figcaption'];

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });
const ABBREVIATION = /(?:\bet al|\bvs|\be\.g|\bi\.e|\bcf|\bFig|\bNo|\bp)\.\s*$/;

/** @param {string} text of one paragraph @returns {string[]} its sentences; a heading or an entry of a list that ends without a sign is none */
export function sentencesOf(text) {
  /** @type {string[]} */
  const sentences = [];
  let open = '';
  for (const { segment } of segments.segment(text)) {
    open += segment;
    if (ABBREVIATION.test(open)) continue;
    if (/[.?!:][”’")\]]*\s*$/.test(open)) sentences.push(open.trim());
    open = '';
  }
  return sentences;
}

/** @param {string} sentence */
export const wordCount = (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}…]/u.test(word)).length;

/** The text of paragraphs, a formula as “…”. @param {string} html */
function paragraphsOf(html) {
  const sources = html.indexOf('id="sources"');
  const page = readHtml(sources < 0 ? html : html.slice(0, sources));
  const inside = new Set(
    page.elements.filter(({ name }) => LEFT_OUT.includes(name)).flatMap(({ within }) => within.map(({ start }) => start)),
  );
  return page.elements
    .filter(({ name, start }) => PARAGRAPHS.includes(name) && !inside.has(start))
    .filter(({ within }) => !within.some(({ name }) => PARAGRAPHS.includes(name)))
    .map(({ inner }) => {
      const part = readHtml(inner);
      for (const element of part.elements) {
        if (element.name === 'math') element.replace(' … ');
        // The values of a formula, once more.
        if (element.attributes.hidden !== undefined) element.replace('');
      }
      // Elements are apart: “(<b>c</b>)” would be “( c )”.
      return wordsIn(part.written(), LEFT_OUT)
        .replaceAll(/([(“‘]) /g, '$1')
        .replaceAll(/ ([.,;:?!)”’%])/g, '$1');
    });
}

/** @param {string} html of a chapter */
export function languageOf(html) {
  const sentences = paragraphsOf(html).flatMap(sentencesOf);
  const text = sentences.join('\n');
  return {
    sentences,
    short: sentences.filter((one) => wordCount(one) < NINE).length,
    listed: LIST.map(({ words, say }) => ({ found: [...text.matchAll(words)].map(([word]) => word.trim()), say })).filter(
      ({ found }) => found.length > 0,
    ),
  };
}

/**
 * Sentences drawn at random: the same for a seed, and a text that has changed in one place changes the sample there only.
 * @template {{ text: string }} Sentence
 * @param {Sentence[]} sentences
 * @param {number} count
 * @param {string} seed
 */
export function sample(sentences, count, seed) {
  /** @param {Sentence} sentence */
  const lot = (sentence) => createHash('sha1').update(`${seed}\n${sentence.text}`).digest('hex');
  return sentences
    .map((sentence) => ({ sentence, lot: lot(sentence) }))
    .sort((a, b) => (a.lot < b.lot ? -1 : 1))
    .slice(0, count)
    .map(({ sentence }) => sentence);
}

/** @param {number} part @param {number} whole */
const percent = (part, whole) => (whole === 0 ? '0 %' : `${Math.round((100 * part) / whole)} %`);

/** What `check.mjs --language` prints. @param {{ file: string, html: string }[]} chapters @param {string} seed */
export function languageLines(chapters, seed, count = 40) {
  const read = chapters.map(({ file, html }) => ({ file, ...languageOf(html) }));
  const lines = read.flatMap(({ file, sentences, short, listed }) => [
    `${file}: ${sentences.length} sentences, ${percent(short, sentences.length)} under nine words`,
    ...listed.map(({ found, say }) => `  ${[...new Set(found)].join(', ')} (${found.length}): say ${say}`),
  ]);
  const all = read.flatMap(({ file, sentences }) => sentences.map((text) => ({ file, text })));
  if (read.length > 1) {
    const short = read.reduce((sum, one) => sum + one.short, 0);
    lines.push(`all: ${all.length} sentences, ${percent(short, all.length)} under nine words`);
  }
  const drawn = sample(all, count, seed);
  lines.push('', `${drawn.length} sentences drawn with seed ${seed}: read them aloud. At most one in ten should need an editor’s touch.`);
  drawn.forEach(({ file, text }, at) => {
    lines.push(`${String(at + 1).padStart(2)}  ${/(\d\d)-[^/]*$/.exec(file)?.[1] ?? file}  ${text}`);
  });
  return lines;
}
