// Figures as programs apart from figures: nobody sees a program before asking for it. In one bundle every kind's `code` only calls the other file,
// which is loaded after the first picture; in the other bundle kinds have their `code` and nothing else.
import { dirname, join, resolve } from 'node:path';

const root = join(import.meta.dirname, '../..');
const later = join(root, 'web/package/later-programs.ts');
/** Modules of the first file, and what stands for them there. */
const REPLACED = new Map([
  [join(root, 'web/figure/take-away/programs.ts'), later],
  [join(root, 'web/figure/take-away/code-files.ts'), later],
  [join(root, 'web/figure/files/read-file.ts'), join(root, 'web/package/later-files.ts')],
  [join(root, 'web/figure/take-away/npy-file.ts'), join(root, 'web/package/later-npy.ts')],
  [join(root, 'web/figure/channel-order.ts'), join(root, 'web/package/later-channels.ts')],
]);
/** The same for what only phasor/figure has there: on the site readers set parameters at once, and each kind is a file of its own. */
const IN_PACKAGE = new Map([
  ...['parameter-help', 'field-help'].map((name) => [join(root, `web/figure/${name}.ts`), later]),
  [join(root, 'web/figure/kinds/requirements-numbers.ts'), join(root, 'web/package/later-requirements.ts')],
]);
const KIND = /\/figure\/kinds\/\w+\.ts$/;
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

/** Resolves modules to what stands for them. */
const replacing = (modules) => (source, importer) =>
  importer && source.startsWith('.') ? modules.get(resolve(dirname(importer), source)) : undefined;

/** @returns {import('vite').Plugin} for the first file of the package */
export const laterInPackage = () => ({
  name: 'phasor-later-in-package',
  resolveId: { order: 'pre', handler: replacing(IN_PACKAGE) },
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
        return replacing(REPLACED)(source, importer);
      },
    },
    transform(text, path) {
      const result = transform.call(this, text, path);
      return result && { ...result, code: `import { codeOf } from ${JSON.stringify(later)};\n${result.code}` };
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
const TWICE = new Set([join(root, 'web/package/figure-programs.ts'), join(root, 'web/figure/registry.ts')]);

/**
 * The same for a site, whose parts are loaded as they are needed: the second file is one of them.
 * @returns {import('vite').Plugin}
 */
export function sitePrograms() {
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
