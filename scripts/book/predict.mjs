// The `predict` block: a question, then options or a number, then an explanation. The core or published numbers determine the solution.
import { isDecided, readAnswer, readCondition } from './decision.mjs';
import { escaped } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';

/** @import { Block } from './blocks.mjs' */
/** @import { Chapter } from './chapter-parts.mjs' */
/** @import { Answer, Condition } from './decision.mjs' */
/** @import { Place } from './problem.mjs' */

/** @typedef {Block['lines'][0]} Line */
/** @typedef {{ words: string, line: number, isRest: boolean, condition?: Condition }} Option `isRest`: correct if no other option is */

/** @param {Line} line */
const isOption = ({ text }) => /^- /.test(text);
/** @param {Line} line */
const isAnswer = ({ text }) => /^answer:/.test(text);
/** @param {Line} line */
const isSource = ({ text }) => /^source:/.test(text);

/** @param {Line} of @param {Block} block @param {Chapter} chapter @returns {Option} */
function optionOf({ text, line }, { placeOf }, chapter) {
  const [, words = '', condition] = /^-\s+(.*?)(?:\s*\{(otherwise|correct if .*)\})?\s*$/s.exec(text) ?? [];
  if (condition === undefined || condition === 'otherwise') return { words, line, isRest: condition === 'otherwise' };
  return { words, line, isRest: false, condition: readCondition(condition.slice('correct if '.length), placeOf(line), chapter) };
}

/** The index of the correct option. @param {Option[]} options @param {Place} location */
function correctOf(options, location) {
  const right = options.flatMap(({ condition }, index) => (condition?.holds() ? [index] : []));
  const rest = options.findIndex(({ isRest }) => isRest);
  const all = right.length === 0 && rest >= 0 ? [rest] : right;
  if (all.length !== 1) {
    const by = options.some(({ condition }) => condition?.isPublished) ? 'by the published numbers' : 'by the core';
    throw new BookProblem(`predict: ${by} ${all.length} options are correct; expected exactly 1`, location);
  }
  return all[0];
}

/** Splits the lines of a block into question, options or answer, source of published numbers, and explanation. @param {Block} block */
function partsOf({ lines, place, placeOf, from }) {
  const at = lines.findIndex((line) => isOption(line) || isAnswer(line));
  const first = lines[at];
  if (!first) throw new BookProblem('predict: after the question come options, “- …”, or one line “answer: VALUE within 10%”', place);
  const behind = lines.slice(at + 1);
  const others = isOption(first) ? behind.findIndex((line) => !isOption(line)) : 0;
  const count = 1 + (others < 0 ? behind.length : others);
  const next = lines[at + count];
  const source = next && isSource(next) ? next : undefined;
  const misplaced = lines.find((line) => isSource(line) && line !== source);
  if (misplaced) throw new BookProblem('predict: “source:” is one line directly below the options or the answer', placeOf(misplaced.line));
  const named = source && { text: source.text.slice('source:'.length).trim(), line: source.line };
  if (named?.text === '') throw new BookProblem('predict: “source:” names the paper and its table', placeOf(named.line));
  return { first, chosen: lines.slice(at, at + count), start: from + at, source: named, rest: from + at + count + (source ? 1 : 0) };
}

/**
 * Throws if published numbers have no source, or if there is a source without published numbers.
 * @param {boolean} isPublished
 * @param {{ text: string, line: number } | undefined} source
 * @param {Place} place
 */
function checkSource(isPublished, source, place) {
  if (isPublished && !source)
    throw new BookProblem(
      'predict: published numbers need a line “source: [paper](address), table” below the options or the answer',
      place,
    );
  if (source && !isPublished) throw new BookProblem('predict: there is a source, but no “published” number', place);
}

/** @param {Block} block @param {Chapter} chapter */
export function predict(block, chapter) {
  const { html, content, inline, place, placeOf, from, to } = block;
  const { first, chosen, start, source, rest } = partsOf(block);
  const id = chapter.count('predict');
  const title = `Predict ${id.number}`;
  /** @param {Condition | Answer} what */
  const decided = (what) => {
    html(() => ` <span class="decided">${isDecided(what)}`);
    if (what.isPublished && source) {
      html(' (');
      inline(source.text, source.line);
      html(')');
    }
    html('</span>');
  };
  html(
    `<section class="predict" id="${id.id}" aria-labelledby="${id.id}-title"><h3 class="box-title" id="${id.id}-title">${title}</h3><div class="ask">`,
  );
  content(from, start);
  html('</div>');
  if (isAnswer(first)) {
    const answer = readAnswer(first.text, placeOf(start), chapter);
    checkSource(answer.isPublished, source, placeOf(start));
    html(
      () =>
        `<form class="answering"${answer.attributes()}><label>Your answer <input type="text" inputmode="decimal" autocomplete="off" name="${id.id}"></label> ${escaped(answer.unit)} <button type="submit" hidden>Check</button></form><details class="answer"><summary>Answer</summary><p class="verdict"><b>Answer:</b> ${answer.html()} ${escaped(answer.unit)}`,
    );
    if (answer.isPublished) decided(answer);
    html('</p>');
  } else {
    const options = chosen.map((line) => optionOf(line, block, chapter));
    if (options.length < 2) throw new BookProblem('predict: there is only one option', placeOf(start));
    const kinds = new Set(options.flatMap(({ condition }) => (condition ? [condition.isPublished] : [])));
    if (kinds.size > 1) throw new BookProblem('predict: either the core decides or published numbers do, not both', place);
    const [isPublished = false] = kinds;
    checkSource(isPublished, source, placeOf(start));
    html(
      () =>
        `<form class="answering" data-correct="${correctOf(options, place)}"${isPublished ? ' data-published' : ''}><fieldset><legend class="visually-hidden">${title}: choose one</legend>`,
    );
    options.forEach((option, index) => {
      html(`<label class="option"><input type="radio" name="${id.id}" value="${index}"><span>`);
      inline(option.words, option.line);
      html('</span></label>');
    });
    html('</fieldset><button type="submit" hidden>Check</button></form><details class="answer"><summary>Answer</summary>');
    options.forEach((option, index) => {
      html(() => `<p class="verdict"${correctOf(options, place) === index ? '' : ' hidden'}><b>Answer:</b> `);
      inline(option.words, option.line);
      if (option.condition) decided(option.condition);
      html('</p>');
    });
  }
  content(rest, to);
  html('</details></section>');
}
