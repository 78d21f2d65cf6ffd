// What a chapter consists of besides its text: figures, values, formulas, terms, addresses. Blocks add to it while they are read.
import { coreData, plainText, slugOf, spoken } from './plain-text.mjs';
import { BookProblem, inPlace } from './problem.mjs';

/** @typedef {{ file?: string, line?: number }} Place */
/**
 * What a chapter asks for, in the order of its text. A figure and a value have what was computed for them once that is there.
 * @typedef {object} Collected
 * @property {{ expression: object, place: Place, result?: any, html: () => string }[]} cores
 * @property {{ id: string, number: string, isFirst: boolean, kind: string, fields: object, attributes: object, room?: number, place: Place, still?: any, sentence?: string, lab?: string, labHash?: string }[]} figures
 * @property {{ name: string, forms: string[], source: string, text: string, id: string, place: Place }[]} terms
 * @property {{ source: string, id?: string, symbols: any[], place: Place }[]} formulas
 * @property {any[]} mathematics
 * @property {any[]} references
 * @property {any[]} codes
 * @property {any[]} links
 */

/** @param {{ number: string, modules: any, core: any }} of the chapter's number, and what its values are read with */
export function chapterParts({ number, modules, core }) {
  /** @type {Collected} */
  const collected = { cores: [], figures: [], terms: [], formulas: [], mathematics: [], references: [], codes: [], links: [] };
  const counts = {};
  const ids = new Set();
  /** Requests that a ```core block has named. */
  const names = new Map();

  /** Within a chapter 4 the second is 4.2; on a page that is none, 2. */
  const numbered = (count) => (number ? `${number}.${count}` : String(count));

  /** An address that somebody has chosen. */
  function claim(id, where) {
    if (ids.has(id)) throw new BookProblem(`the id #${id} is there twice`, where);
    ids.add(id);
    return id;
  }
  /** An address made from words. */
  function unique(text) {
    const base = slugOf(text) || 'section';
    let id = base;
    for (let more = 2; ids.has(id); more++) id = `${base}-${more}`;
    ids.add(id);
    return id;
  }

  return {
    ...{ collected, counts, ids, names, modules, claim, unique, numbered },
    /** The address of a heading that a block makes. */
    heading: (text) => unique(plainText(text)),
    count(name) {
      counts[name] = (counts[name] ?? 0) + 1;
      return { number: numbered(counts[name]), id: claim(`${name}-${counts[name]}`) };
    },
    core(text, where) {
      const expression = inPlace(where, () => core.parse(text, names));
      /** @type {Collected['cores'][0]} */
      const entry = { expression, place: where, html: () => coreData(entry.result) };
      collected.cores.push(entry);
      return entry;
    },
    /** The lines of a ```core block, the first of which is in line `first` of the file. */
    nameValues(content, { file, first }) {
      content.split('\n').forEach((text, index) => {
        if (text.trim() === '' || text.trim().startsWith('//')) return;
        const where = { file, line: first + index };
        const [, name, expression] = /^\s*([A-Za-z_]\w*)\s*=\s*(.+)$/.exec(text) ?? [];
        if (!name) throw new BookProblem(`core: “${text.trim()}” is not “name = …”`, where);
        if (names.has(name)) throw new BookProblem(`core: ${name} is named twice`, where);
        const { tree, at, format } = inPlace(where, () => core.parse(expression, names));
        if (at || format) throw new BookProblem('core: “at” and “to” stand where a name is used', where);
        names.set(name, tree);
      });
    },
    figure({ kind, fields, attributes: { id: asked, group, ...attributes }, room, place }) {
      counts.figure = (counts.figure ?? 0) + 1;
      const id = claim(asked ?? `figure-${counts.figure}`, place);
      const entry = {
        id,
        number: numbered(counts.figure),
        isFirst: counts.figure === 1,
        kind,
        fields,
        attributes: { ...attributes, ...(group ? { group } : {}) },
        room,
        place,
      };
      collected.figures.push(entry);
      return entry;
    },
    term({ name, forms, text, place }) {
      const id = claim(`term-${slugOf(name)}`, place);
      collected.terms.push({ name, forms, source: text, text: spoken(text), id, place });
      return id;
    },
    lastFormula: () => collected.formulas.at(-1),
  };
}
