// Collects the parts of a chapter besides its text: figures, values, formulas, terms, ids. Blocks add to them while they are parsed.
import { coreData, plainText, slugOf, spoken } from './plain-text.mjs';
import { BookProblem, inPlace } from './problem.mjs';

/** @import { Constant, CoreResult } from './core-values.mjs' */
/** @import { GivenFigure, Still } from './figures.mjs' */
/** @import { Place } from './problem.mjs' */
/** @import { BookMeans } from './web-modules.mjs' */
/** @typedef {import('markdown-it/lib/token.mjs').default} Token */

/** @typedef {{ source: string, place: Place, result?: CoreResult, html: () => string }} Core an expression; `result` is set when it is computed */
/**
 * A figure of a chapter. The optional fields are set when it is computed.
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} number
 * @property {boolean} isFirst
 * @property {string} kind
 * @property {Record<string, string>} fields
 * @property {Record<string, string>} attributes
 * @property {number | undefined} room
 * @property {Place} place
 * @property {Still} [still]
 * @property {string | undefined} [sentence]
 * @property {string | undefined} [labHash] the part of the Lab's address after '#'
 * @property {string | undefined} [lab] the whole address, relative to the page that is written
 */
/** @typedef {{ name: string, forms: string[], source: string, text: string, id: string, place: Place }} Term */
/** @typedef {{ figure: string, cursor: Record<string, number> }} Lights a cursor position in a figure */
/** @typedef {{ source: string, place: Place, lights: Lights | undefined }} FormulaSymbol */
/** @typedef {{ source: string, id: string | undefined, symbols: FormulaSymbol[], place: Place }} Formula */
/** @typedef {{ target: string, label?: string | undefined, place: Place }} Reference */
/**
 * What a chapter contains, in the order of its text.
 * @typedef {object} Collected
 * @property {Constant[]} constants of the ```core blocks
 * @property {Core[]} cores
 * @property {Figure[]} figures
 * @property {Term[]} terms
 * @property {Formula[]} formulas the displayed ones
 * @property {{ source: string, place: Place }[]} mathematics all formulas, displayed and inline
 * @property {Reference[]} references
 * @property {{ token: Token }[]} codes
 * @property {{ href: string | null, place: Place }[]} links
 */
/** @typedef {ReturnType<typeof chapterParts>} Chapter */

/**
 * Returns the value; throws if it is not computed yet.
 * @template Value
 * @param {Value | undefined} value
 * @returns {Value}
 */
export function computed(value) {
  if (value === undefined) throw new Error('a page is written before it is computed');
  return value;
}

/** @param {{ number: string } & Pick<BookMeans, 'modules' | 'core' | 'style'>} of the number of the chapter, and the modules that read and write it */
export function chapterParts({ number, modules, core, style }) {
  /** @type {Collected} */
  const collected = {
    constants: [],
    cores: [],
    figures: [],
    terms: [],
    formulas: [],
    mathematics: [],
    references: [],
    codes: [],
    links: [],
  };
  /** @type {Record<string, number>} */
  const counts = {};
  /** @type {Set<string>} */
  const ids = new Set();

  /** The number of the second figure is 4.2 in chapter 4, and 2 on pages without a number. @param {number} count */
  const numbered = (count) => (number ? `${number}.${count}` : String(count));

  /** Registers an explicit id. @param {string} id @param {Place} [where] */
  function claim(id, where) {
    if (ids.has(id)) throw new BookProblem(`the id #${id} is there twice`, where);
    ids.add(id);
    return id;
  }
  /** Makes an unused id from a text. @param {string} text */
  function unique(text) {
    const base = slugOf(text) || 'section';
    let id = base;
    for (let more = 2; ids.has(id); more++) id = `${base}-${more}`;
    ids.add(id);
    return id;
  }

  return {
    ...{ collected, counts, ids, modules, style, claim, unique, numbered },
    /** The id of a heading that a block writes. @param {string} text */
    heading: (text) => unique(plainText(text)),
    /** @param {string} name */
    count(name) {
      const count = (counts[name] ?? 0) + 1;
      counts[name] = count;
      return { number: numbered(count), id: claim(`${name}-${count}`) };
    },
    /** @param {string} text @param {Place} where */
    core(text, where) {
      const source = text.trim();
      inPlace(where, () => core.check(source));
      /** @type {Core} */
      const entry = { source, place: where, html: () => coreData(computed(entry.result)) };
      collected.cores.push(entry);
      return entry;
    },
    /**
     * Reads the constants of a ```core block.
     * @param {string} content
     * @param {{ file: string, first: number }} place `first`: the line of the file where the content begins
     */
    constants(content, { file, first }) {
      let line = first;
      for (const text of content.replaceAll(/^\/\/.*$/gm, '').split(/^(?=const )/m)) {
        const location = { file, line };
        line += text.split('\n').length - 1;
        if (text.trim() === '') continue;
        const [, name, source] = /^const ([A-Za-z_]\w*) = (.+);\s*$/s.exec(text) ?? [];
        if (name === undefined || source === undefined)
          throw new BookProblem(`core: “${text.trim().split('\n')[0]}” is not “const name = …;”`, location);
        if (collected.constants.some((one) => one.name === name)) throw new BookProblem(`core: ${name} is named twice`, location);
        inPlace(location, () => core.check(source, name));
        collected.constants.push({ name, source, place: location });
      }
    },
    /** @param {GivenFigure & { fields: Record<string, string>, place: Place }} given */
    figure({ kind, fields, attributes: { id: requested, group, ...attributes }, room, place }) {
      const count = (counts.figure ?? 0) + 1;
      counts.figure = count;
      const id = claim(requested ?? `figure-${count}`, place);
      /** @type {Figure} */
      const entry = {
        id,
        number: numbered(count),
        isFirst: count === 1,
        kind,
        fields,
        attributes: { ...attributes, ...(group ? { group } : {}) },
        room,
        place,
      };
      collected.figures.push(entry);
      return entry;
    },
    /** @param {Pick<Term, 'name' | 'forms' | 'text' | 'place'>} term */
    term({ name, forms, text, place }) {
      const id = claim(`term-${slugOf(name)}`, place);
      collected.terms.push({ name, forms, source: text, text: spoken(text), id, place });
      return id;
    },
    lastFormula: () => collected.formulas.at(-1),
  };
}
