// What each block of a chapter becomes. A block pushes tokens; HTML that depends on numbers is written when they are there.
import { attributesOf } from './blocks.mjs';
import { escaped } from './plain-text.mjs';
import { BookProblem } from './problem.mjs';

/** Attributes of the element that are not fields of the figure. */
const OF_ELEMENT = ['id', 'group', 'lock', 'controls', 'max-height'];

/** A box with a title that stands among the headings. */
const box = (name, title) =>
  function block(_state, { head, html, content }, chapter) {
    const words = head ? `${title}: ${head}` : title;
    const id = chapter.heading(words);
    html(`<section class="${name}"><h3 class="box-title" id="${id}" tabindex="-1">${escaped(words)}</h3>`);
    content();
    html('</section>');
  };

function figure(_state, { head, html, content, place, lines }, chapter) {
  const given = attributesOf(head, place);
  if (given.kind === undefined) throw new BookProblem('figure: kind= is missing', place);
  if (!lines.some(({ text }) => text.trim() !== '')) throw new BookProblem('figure: it has no caption', place);
  const fields = {};
  const attributes = {};
  for (const [name, value] of Object.entries(given)) {
    if (name === 'kind') continue;
    if (OF_ELEMENT.includes(name)) attributes[name] = value;
    else if (chapter.kit.isField(name)) fields[chapter.kit.camel(name)] = value;
    else throw new BookProblem(`figure: ${name} is neither a field nor one of ${OF_ELEMENT.join(', ')}`, place);
  }
  const made = chapter.figure({ kind: given.kind, fields, attributes, place });
  html(
    () =>
      `<figure class="book-figure" id="${made.id}" aria-labelledby="${made.id}-caption">${made.still.html}<figcaption id="${made.id}-caption"><b class="number">Figure ${made.number}.</b> `,
  );
  content();
  html(
    () =>
      `<a class="lab" href="${escaped(made.lab)}" aria-label="Open figure ${made.number} in the Lab">Open in the Lab</a></figcaption></figure>`,
  );
}

const COMPARISON = /^(.*?)\s*(<=|>=|=|<|>)\s*([^<>=]+)$/s;

/** 'figure {...} .proof.residual < 1e-5' */
function conditionOf(text, place, chapter) {
  const [, left, sign, right] = COMPARISON.exec(text.replace(/^core\s+/, '')) ?? [];
  if (!left) throw new BookProblem(`predict: “${text}” compares nothing: write {correct if VALUE < VALUE}`, place);
  return { left: chapter.core(left, place), sign, right: chapter.core(right, place) };
}

const HOLDS = { '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '=': (a, b) => a === b };

function optionOf({ text, line }, { placeOf }, chapter) {
  const place = placeOf(line);
  const [, words, condition] = /^-\s+(.*?)(?:\s*\{(otherwise|correct if .*)\})?\s*$/s.exec(text) ?? [];
  if (condition === undefined) return { words, line };
  if (condition === 'otherwise') return { words, line, otherwise: true };
  return { words, line, condition: conditionOf(condition.slice('correct if '.length), place, chapter) };
}

/** The index of the option that the core says is right. */
function correctOf(options, place) {
  const holding = options.map(
    ({ condition }) => condition !== undefined && HOLDS[condition.sign](condition.left.result.value, condition.right.result.value),
  );
  const right = holding.flatMap((one, index) => (one ? [index] : []));
  const rest = options.findIndex(({ otherwise }) => otherwise);
  const all = right.length === 0 && rest >= 0 ? [rest] : right;
  if (all.length !== 1) throw new BookProblem(`predict: by the core ${all.length} options are correct, and it must be 1`, place);
  return all[0];
}

function predict(_state, block, chapter) {
  const { lines, html, content, inline, place, placeOf, from, to } = block;
  const isOption = ({ text }) => /^- /.test(text);
  const isAnswer = ({ text }) => /^answer:/.test(text);
  const first = lines.findIndex((line) => isOption(line) || isAnswer(line));
  if (first < 0) throw new BookProblem('predict: after the question come options, “- …”, or one line “answer: VALUE within 10 %”', place);
  let last = first;
  if (isOption(lines[first])) while (lines[last + 1] && isOption(lines[last + 1])) last += 1;
  const id = chapter.count('predict');
  const start = from + first;
  const title = `Predict ${id.number}`;
  html(
    `<section class="predict" id="${id.id}" aria-labelledby="${id.id}-title"><h3 class="box-title" id="${id.id}-title">${title}</h3><div class="ask">`,
  );
  content(from, start);
  html('</div>');
  if (isAnswer(lines[first])) {
    const where = placeOf(start);
    const [, value, within, percent, unit] = /^answer:\s*(.*?)\s+within\s+([\d.]+)\s*(%?)\s*(.*?)\s*$/.exec(lines[first].text) ?? [];
    if (value === undefined) throw new BookProblem('predict: write “answer: VALUE within 10 %” or “answer: VALUE within 2 words”', where);
    const answer = chapter.core(value, where);
    html(() => {
      if (typeof answer.result.value !== 'number') throw new BookProblem('predict: the answer is no number', where);
      return `<form class="answering" data-answer="${answer.result.value}" data-within="${within}" ${percent ? 'data-percent' : ''}><label>Your answer <input type="text" inputmode="decimal" autocomplete="off" name="${id.id}"></label> ${escaped(unit)} <button type="submit" hidden>Check</button></form><details class="answer"><summary>Answer</summary><p class="verdict"><b>Answer:</b> ${answer.html()} ${escaped(unit)}</p>`;
    });
  } else {
    const options = lines.slice(first, last + 1).map((line) => optionOf(line, block, chapter));
    if (options.length < 2) throw new BookProblem('predict: there is only one option', placeOf(start));
    html(
      () =>
        `<form class="answering" data-correct="${correctOf(options, place)}"><fieldset><legend class="visually-hidden">${title}: choose one</legend>`,
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
      html(() =>
        option.condition
          ? ` <span class="decided">Decided by the core: ${option.condition.left.html()} ${option.condition.sign.replace('<', '&lt;')} ${option.condition.right.html()}</span></p>`
          : '</p>',
      );
    });
  }
  content(from + last + 1, to);
  html('</details></section>');
}

function exercise(_state, { head, html, content }, chapter) {
  const id = chapter.count('exercise');
  const words = `Exercise ${id.number}${head ? `: ${head}` : ''}`;
  html(`<section class="exercise" id="${id.id}"><h3 class="box-title" id="${id.id}-title" tabindex="-1">${escaped(words)}</h3>`);
  content();
  html('</section>');
}

function solution(_state, { html, content }) {
  html('<details class="solution"><summary>Solution</summary>');
  content();
  html('</details>');
}

function note(_state, { html, content }) {
  html('<div role="note" class="note">');
  content();
  html('</div>');
}

/** ::: define permutation equivariant (equivariance, equivariant) */
function define(_state, { head, html, content, place, lines }, chapter) {
  const [, name, others = ''] = /^([^()]+?)\s*(?:\(([^()]*)\))?$/.exec(head) ?? [];
  if (!name) throw new BookProblem('define: write “::: define term (other forms, with commas)”', place);
  const text = lines.map((line) => line.text).join('\n');
  const id = chapter.term({
    name,
    forms: others
      .split(',')
      .map((form) => form.trim())
      .filter(Boolean),
    text,
    place,
  });
  html(`<div role="note" class="note definition" id="${id}"><p class="defined"><dfn>${escaped(name)}</dfn></p>`);
  content();
  html('</div>');
}

/** 'query=2 key=1': where the cursor of a figure goes. */
function cursorOf(text, place) {
  const cursor = Object.entries(attributesOf(text, place)).map(([axis, value]) => {
    if (!Number.isFinite(Number(value)) || value === '') throw new BookProblem(`symbols: ${axis}=${value} is not a number`, place);
    return [axis, Number(value)];
  });
  if (cursor.length === 0) throw new BookProblem('symbols: {lights #figure} says no axis: write {lights #figure query=2}', place);
  return Object.fromEntries(cursor);
}

/** - $x$ what it means {lights figure-id query=2} */
function symbols(_state, { lines, html, inline, placeOf, place }, chapter) {
  const formula = chapter.lastFormula();
  if (!formula) throw new BookProblem('symbols: there is no $$ formula above', place);
  html('<dl class="symbols">');
  for (const { text, line } of lines) {
    if (text.trim() === '') continue;
    const where = placeOf(line);
    const [, symbol, words, figureId, cursor = ''] = /^-\s+(\$.+?\$)\s+(.*?)(?:\s*\{lights #?([\w-]+)\s*(.*?)\})?\s*$/.exec(text) ?? [];
    if (!symbol) throw new BookProblem('symbols: each line is “- $x$ what it means”', where);
    const lights = figureId && { figure: figureId, cursor: cursorOf(cursor, where) };
    formula.symbols.push({ source: symbol.slice(1, -1), place: where, lights });
    html(
      lights
        ? `<div class="symbol" tabindex="0" data-figure="${lights.figure}" data-cursor="${escaped(JSON.stringify(lights.cursor))}"><dt>`
        : '<div class="symbol" tabindex="0"><dt>',
    );
    inline(symbol, line);
    html('</dt><dd>');
    inline(words, line);
    html('</dd></div>');
  }
  html('</dl>');
}

/** Sources: a list at the end of a chapter. */
function sources(_state, { html, content }, chapter) {
  const id = chapter.heading('Sources');
  html(`<section class="sources"><h2 id="${id}" tabindex="-1">Sources</h2>`);
  content();
  html('</section>');
}

/** The blocks of one chapter. */
export const chapterBlocks = (chapter) =>
  Object.fromEntries(
    Object.entries({
      figure,
      predict,
      exercise,
      solution,
      note,
      define,
      symbols,
      sources,
      wrong: box('wrong', 'What can go wrong'),
      example: box('example', 'Worked example'),
    }).map(([name, block]) => [name, (state, parts) => block(state, parts, chapter)]),
  );
