// Figures as programs apart from figures: nobody sees a program before asking for it. In one bundle every kind's `code` only calls the other file,
// which is loaded after the first picture; in the other bundle kinds have their `code` and nothing else.
import { dirname, join, resolve } from 'node:path';
import { root } from '../root.mjs';
import { replacing } from './replacing.mjs';

const LATER = 'web/package/later-programs';
/** Modules of the first file, and what stands for them there. */
const replaced = replacing({
  'web/figure/export/programs': LATER,
  'web/figure/export/code-files': LATER,
  'web/figure/export/npy-file': LATER,
  'web/figure/files/read-file': LATER,
  'web/figure/numbers/channel-order': LATER,
});
/** The same for what only phasor/figure has there: on the site readers set parameters at once, and each kind is a file of its own. */
const replacedInPackage = replacing({
  'web/figure/controls/parameter-help': LATER,
  'web/figure/controls/field-help': LATER,
  'web/figure/kinds/requirements/numbers': LATER,
});
const KIND = /\/figure\/kinds\/\w+\/index\.ts$/;
/** The other file, beside the bundle. */
export const PROGRAMS = './figure-programs.js';

/** The object that defineKind is called with, in the syntax tree of a module. */
function definition(body) {
  const calls = body.flatMap(({ declaration }) => declaration?.declarations ?? []).map(({ init }) => init);
  return calls.find((init) => init?.type === 'CallExpression' && init.callee.name === 'defineKind')?.arguments[0];
}

/** The text of a module without the imports that nothing in it uses any more: a chunk that is made by what is imported would have them too. */
function withoutUnused(text, body) {
  const imports = body.filter(({ type }) => type === 'ImportDeclaration').reverse();
  const without = (some) => some.reduce((left, { start, end }) => left.slice(0, start) + left.slice(end), text);
  const rest = without(imports);
  return without(imports.filter(({ specifiers }) => specifiers.length > 0 && !specifiers.some(({ local }) => rest.includes(local.name))));
}

/** Rewrites the definition of each kind: `written` gets the texts of its properties `id` and `code`, and whole text of the definition. */
const rewritten = (name, written) => ({
  name,
  transform(text, path) {
    if (!KIND.test(path)) return undefined;
    const { body } = this.parse(text);
    const object = definition(body);
    const property = (key) => object?.properties.find((one) => one.key?.name === key);
    const [id, code] = [property('id'), property('code')];
    if (!id || !code) throw new Error(`${path}: there is no defineKind({ id, ..., code })`);
    const at = ({ start, end }) => text.slice(start, end);
    const [before, after] = [text.slice(object.start, code.start), text.slice(code.end, object.end)];
    const definitionText = written({ id: at(id), value: at(id.value), code: at(code), before, after });
    const whole = text.slice(0, object.start) + definitionText + text.slice(object.end);
    return { code: withoutUnused(whole, body), map: null };
  },
});

/** @returns {import('vite').Plugin} for the first file of the package */
export const laterInPackage = () => ({
  name: 'phasor-later-in-package',
  resolveId: { order: 'pre', handler: replacedInPackage },
});

/** @returns {import('vite').Plugin} for the first file */
export function laterPrograms() {
  const { transform, name } = rewritten('phasor-later-programs', ({ before, value, after }) => `${before}code: codeOf(${value})${after}`);
  return {
    name,
    resolveId: {
      order: 'pre',
      handler(source, importer) {
        if (source === PROGRAMS) return { id: PROGRAMS, external: true };
        return replaced(source, importer);
      },
    },
    transform(text, path) {
      const result = transform.call(this, text, path);
      return result && { ...result, code: `import { codeOf } from ${JSON.stringify(join(root, `${LATER}.ts`))};\n${result.code}` };
    },
  };
}

const onlyPrograms = rewritten('phasor-programs-only', ({ id, code }) => `{ ${id}, ${code} }`);

/** @returns {import('vite').Plugin} for the second file */
export const programsOnly = () => onlyPrograms;

/** What marks a module of the second file where both are made in one build. */
const MARK = '?programs';
const marked = (path) => path.endsWith(MARK);
const whole = (path) => path.split('?')[0];
/** Of the second file, what is another module than in the first one. */
const TWICE = new Set([join(root, 'web/package/figure-programs.ts'), join(root, 'web/figure/contract/registry.ts')]);

/**
 * The same for a site, whose parts are loaded as they are needed: the second file is one of them.
 * @returns {import('vite').Plugin}
 */
export function sitePrograms() {
  /** @type {any} */
  const first = laterPrograms();
  return {
    name: 'phasor-site-programs',
    apply: 'build',
    resolveId: {
      order: 'pre',
      handler(source, importer) {
        if (source === PROGRAMS) return join(root, 'web/package/figure-programs.ts') + MARK;
        if (!importer || !source.startsWith('.')) return undefined;
        const path = resolve(dirname(whole(importer)), source);
        if (!marked(importer)) return first.resolveId.handler(source, importer);
        return TWICE.has(path) || KIND.test(path) ? path + MARK : undefined;
      },
    },
    transform(text, path) {
      return marked(path) ? onlyPrograms.transform.call(this, text, whole(path)) : first.transform.call(this, text, path);
    },
  };
}
