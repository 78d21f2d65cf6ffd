// A chapter: Markdown in, HTML with its figures and values out. First the text is read, then everything it asks for is computed, then it is written.
import markdownIt from 'markdown-it';
import { blockRule } from './blocks.mjs';
import { chapterBlocks } from './chapter-blocks.mjs';
import { displayFormula, expressionsIn, inlineFormula, mathml } from './formula.mjs';
import { inlineCore, inlineReference } from './inline.mjs';
import { BookProblem } from './problem.mjs';

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
export const slugOf = (text) =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[’'“”"]/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
/** Text of inline Markdown without its signs, for contents and search. */
export const plainText = (text) =>
  text
    .replaceAll(/\{\{core:.*?\}\}+/gs, '')
    .replaceAll(/\[\[(?:[^\]|]*\|)?([^\]]*)\]\]/g, '$1')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .replaceAll(/\$([^$]*)\$/g, '$1')
    .trim();

/**
 * @param {{ name: string, number: string, title: string, body: string, line: number, file: string }} source `line`: lines before the body
 * @param {{ kit: object, core: object, figures: (figure: object) => Promise<object>, code: (source: string, language: string) => Promise<string> }} means
 * @returns {Promise<object>} what the book needs of a chapter; `write(links)` gives its HTML
 */
export async function readChapter(source, means) {
  const { number, body, line: before, file } = source;
  const { kit } = means;
  const place = { file, before };
  const collected = { cores: [], figures: [], headings: [], terms: [], formulas: [], references: [], codes: [], links: [] };
  const counts = {};
  const ids = new Set();
  const names = new Map();
  const claim = (id, where) => {
    if (ids.has(id)) throw new BookProblem(`the id #${id} is there twice`, where);
    ids.add(id);
    return id;
  };
  const unique = (text) => {
    const base = slugOf(text) || 'section';
    let id = base;
    for (let more = 2; ids.has(id); more++) id = `${base}-${more}`;
    ids.add(id);
    return id;
  };
  const chapter = {
    kit,
    heading({ level, text }) {
      const id = unique(plainText(text));
      collected.headings.push({ level, text: plainText(text), id });
      return id;
    },
    contentsEntry: (id, text) => collected.headings.push({ level: 3, text, id }),
    count(name) {
      counts[name] = (counts[name] ?? 0) + 1;
      return { number: `${number}.${counts[name]}`, id: claim(`${name}-${counts[name]}`) };
    },
    core(text, where) {
      const expression = attempt(where, () => means.core.parse(text, names));
      const entry = {
        expression,
        place: where,
        result: undefined,
        html: () =>
          `<data class="core"${Array.isArray(entry.result.value) ? ' data-list' : ''} value="${escaped(String(entry.result.value))}" data-core="${escaped(entry.result.request)}">${entry.result.text.replace(/10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/, (_, digits) => `10<sup>${[...digits].map((one) => (one === '⁻' ? '−' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(one))).join('')}</sup>`)}</data>`,
      };
      collected.cores.push(entry);
      return entry;
    },
    figure({ kind, fields, attributes: { id: asked, group, ...attributes }, place: where }) {
      counts.figure = (counts.figure ?? 0) + 1;
      const id = claim(asked ?? `figure-${counts.figure}`, where);
      const entry = {
        id,
        number: `${number}.${counts.figure}`,
        kind,
        fields,
        attributes: { ...attributes, ...(group ? { group } : {}) },
        place: where,
      };
      collected.figures.push(entry);
      return entry;
    },
    figureId(id, where) {
      if (!collected.figures.some((figure) => figure.id === id)) throw new BookProblem(`there is no figure #${id} in this chapter`, where);
      return id;
    },
    term({ name, forms, text, place: where }) {
      const id = claim(`term-${slugOf(name)}`, where);
      collected.terms.push({ name, forms, text: plainText(text), id, place: where });
      return id;
    },
    lastFormula: () => collected.formulas.at(-1),
  };

  const md = markdownIt({ html: true, typographer: true, quotes: '“”‘’' });
  md.block.ruler.before('fence', 'book', blockRule(chapterBlocks(chapter), place), { alt: ['paragraph', 'blockquote', 'list'] });
  md.block.ruler.before('fence', 'formula', displayFormula(place), { alt: ['paragraph', 'blockquote', 'list'] });
  md.inline.ruler.before('escape', 'core', inlineCore);
  md.inline.ruler.before('escape', 'formula', inlineFormula);
  md.inline.ruler.before('link', 'reference', inlineReference);
  // Formulas are collected in the order of the text while blocks are read, so that symbols find theirs.
  md.core.ruler.disable('replacements');

  const nameValues = (token) => {
    token.content.split('\n').forEach((text, index) => {
      if (text.trim() === '' || text.trim().startsWith('//')) return;
      const where = { file, line: token.map[0] + index + 2 + before };
      const [, name, expression] = /^\s*([A-Za-z_]\w*)\s*=\s*(.+)$/.exec(text) ?? [];
      if (!name) throw new BookProblem(`core: “${text.trim()}” is not “name = …”`, where);
      if (names.has(name)) throw new BookProblem(`core: ${name} is named twice`, where);
      const { tree, at, format } = attempt(where, () => means.core.parse(expression, names));
      if (at || format) throw new BookProblem('core: “at” and “to” stand where a name is used', where);
      names.set(name, tree);
    });
  };
  // Names are known before the first value: blocks are read top down, and a value in a block is read with it.
  body.replaceAll(/^```core\n([\s\S]*?)^```$/gm, (whole, content, offset) => {
    nameValues({ content, map: [body.slice(0, offset).split('\n').length - 1] });
    return whole;
  });
  collectFormulas(md, collected, place);

  const env = {};
  const tokens = attempt(undefined, () => md.parse(body, env));
  const lineOf = (parent, position = 0) => ({
    file,
    line: (parent.map?.[0] ?? 0) + parent.content.slice(0, position).split('\n').length + before,
  });
  const visit = (token, parent) => {
    if (token.type === 'core') token.meta.entry = chapter.core(token.content, lineOf(parent, token.meta.position));
    else if (token.type === 'reference')
      collected.references.push(Object.assign(token.meta, { target: token.content, place: lineOf(parent, token.meta.position) }));
    else if (token.type === 'formula') {
      const where = token.block ? { file, line: token.map[0] + 1 + before } : lineOf(parent, token.meta.position);
      token.meta.place = where;
      token.meta.values = attempt(where, () => expressionsIn(token.content)).map((text) => chapter.core(text, where));
    } else if (token.type === 'fence' && token.info.trim() !== 'core') collected.codes.push({ token });
    else if (token.type === 'link_open') collected.links.push({ href: token.attrGet('href'), place: lineOf(parent) });
    for (const child of token.children ?? []) visit(child, token.type === 'inline' ? token : parent);
  };
  for (const token of tokens) visit(token, token);
  // Headings with permanent addresses.
  tokens.forEach((token, index) => {
    if (token.type !== 'heading_open') return;
    const level = Number(token.tag.slice(1));
    if (level === 1)
      throw new BookProblem('“#” is the title, which stands in the head of the chapter; sections begin with “##”', {
        file,
        line: token.map[0] + 1 + before,
      });
    const text = plainText(tokens[index + 1].content);
    const id = unique(text);
    token.attrSet('id', id);
    token.attrSet('tabindex', '-1');
    token.meta = { text, id };
  });
  const inText = tokens
    .filter(({ type }) => type === 'heading_open')
    .map(({ tag, meta, map }) => ({ level: Number(tag.slice(1)), ...meta, line: map[0] }));

  // Figures first: their fields are what values about figures are computed from.
  const figureSpecs = new Map(collected.figures.map(({ id, kind, fields }) => [id, { kind, ...fields }]));
  for (const figure of collected.figures) {
    const made = await located(figure.place, () => means.figures(figure));
    Object.assign(figure, { still: made.still, labHash: made.lab });
  }
  for (const entry of collected.cores) entry.result = await located(entry.place, () => means.core.value(entry.expression, figureSpecs));
  for (const { token } of collected.codes) token.meta = { html: await means.code(token.content, token.info.trim()) };
  checkSymbols(collected.formulas);

  const { rules } = md.renderer;
  rules.book = (list, index, _options, writing) => list[index].meta.write(writing);
  rules.core = (list, index) => list[index].meta.entry.html();
  rules.formula = (list, index) => {
    const { content, meta } = list[index];
    const values = meta.values.map(({ result }) => result.text);
    const math = mathml(content, { display: meta.display, values, place: meta.place });
    const carried = meta.values
      .map(
        ({ result }) =>
          `<data class="core" hidden value="${escaped(String(result.value))}" data-core="${escaped(result.request)}">${result.text}</data>`,
      )
      .join('');
    if (!meta.display) {
      // A line must not break before the punctuation behind a formula.
      const next = list[index + 1];
      const [punctuation = ''] = next?.type === 'text' ? (/^[.,;:!?)’”…–-]+/.exec(next.content) ?? []) : [];
      if (punctuation === '') return math + carried;
      next.content = next.content.slice(punctuation.length);
      next.meta = { ...next.meta, taken: punctuation };
      return `<span class="unbroken">${math}${escaped(punctuation)}</span>${carried}`;
    }
    const label = meta.id ? `<a class="equation-number" href="#${meta.id}">(${equationNumber(meta.id)})</a>` : '';
    return `<div class="formula"${meta.id ? ` id="${meta.id}"` : ''}><div class="formula-scroll" tabindex="0" role="group" aria-label="Formula">${math}</div>${label}${carried}</div>\n`;
  };
  const numbered = collected.formulas.filter(({ id }) => id);
  for (const { id, place: where } of numbered) claim(id, where);
  const equationNumber = (id) => `${number}.${numbered.findIndex((one) => one.id === id) + 1}`;
  rules.fence = (list, index) => (list[index].info.trim() === 'core' ? '' : list[index].meta.html);
  rules.heading_close = (list, index) => {
    const open = list.slice(0, index).findLast(({ type }) => type === 'heading_open');
    return ` <a class="anchor" href="#${open.meta.id}" aria-label="Link to “${escaped(open.meta.text)}”">#</a></${open.tag}>\n`;
  };
  rules.table_open = () => '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>';
  rules.table_close = () => '</table></div>';

  return {
    ...source,
    headings: inText,
    ids,
    terms: collected.terms,
    figures: collected.figures,
    cores: collected.cores,
    codes: collected.codes,
    references: collected.references,
    counts,
    text: tokens,
    /** @param {object} links resolves references: `reference(target, label, chapter)` gives HTML; `lab` is the address of the Lab */
    write(links) {
      for (const figure of collected.figures) figure.lab = `${links.lab}#${figure.labHash}`;
      rules.reference = (list, index) => {
        const { target, label, place: where } = list[index].meta;
        const own = target.startsWith('#') ? target.slice(1) : undefined;
        if (own !== undefined) {
          const figure = collected.figures.find(({ id }) => id === own);
          const words = figure ? `Figure ${figure.number}` : numbered.some(({ id }) => id === own) ? `(${equationNumber(own)})` : label;
          if (!words || !ids.has(own))
            throw new BookProblem(`[[#${own}]]: there is no figure or formula of this name in this chapter`, where);
          return `<a href="#${own}">${escaped(label ?? words)}</a>`;
        }
        return links.reference({ target, label, place: where });
      };
      const html = attempt(undefined, () => md.renderer.render(tokens, md.options, {}));
      // A page is written more than once: what was taken comes back.
      for (const { children } of tokens) {
        for (const child of children ?? []) {
          if (child.meta?.taken) Object.assign(child, { content: child.meta.taken + child.content, meta: null });
        }
      }
      return html;
    },
  };

  function attempt(where, call) {
    try {
      return call();
    } catch (thrown) {
      if (thrown instanceof BookProblem) throw thrown.at({ file, ...where });
      throw thrown;
    }
  }
  async function located(where, call) {
    try {
      return await call();
    } catch (thrown) {
      if (thrown instanceof BookProblem) throw thrown.at(where);
      throw new BookProblem(thrown instanceof Error ? thrown.message : String(thrown), where);
    }
  }
}

/** Every display formula in the order of the text, with the symbols that are explained below it. */
function collectFormulas(md, collected, { file, before }) {
  const rule = md.block.ruler.__rules__.find(({ name }) => name === 'formula');
  const { fn } = rule;
  md.block.ruler.at(
    'formula',
    (state, startLine, endLine, silent) => {
      const count = state.tokens.length;
      if (!fn(state, startLine, endLine, silent)) return false;
      if (!silent) {
        const token = state.tokens[count];
        collected.formulas.push({ source: token.content, id: token.meta.id, symbols: [], place: { file, line: startLine + before + 1 } });
      }
      return true;
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  );
}

/** The elements of a formula without its frame, as the page compares them. */
const inner = (math) => math.replace(/^<math[^>]*>|<\/math>$/g, '').replace(/^<mrow>([\s\S]*)<\/mrow>$/, '$1');

/** A symbol that is explained has to be in its formula. */
function checkSymbols(formulas) {
  for (const { source, symbols, place: where } of formulas) {
    const whole = mathml(source, { display: true, values: [], place: where });
    for (const { source: symbol, place } of symbols) {
      if (!whole.includes(inner(mathml(symbol, { display: false, place }))))
        throw new BookProblem(`symbols: $${symbol}$ is not in the formula above as it is written here`, place);
    }
  }
}
