// The titles of the encodings by id, from web/encodings/<id>.ts, so that a figure shows titles without loading descriptions.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const NAME = 'virtual:encoding-titles';
const FOLDER = join(import.meta.dirname, '../../web/encodings');

/** @import { ESTree } from 'vite' */

/**
 * The title of the exported object `description`; undefined if the file has none.
 * @param {ESTree.Program} program
 */
function titleIn({ body }) {
  const declared = body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' && statement.declaration?.type === 'VariableDeclaration'
      ? statement.declaration.declarations
      : [],
  );
  const description = declared.find(({ id }) => id.type === 'Identifier' && id.name === 'description')?.init;
  const properties = description?.type === 'ObjectExpression' ? description.properties : [];
  const title = properties.find((one) => one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === 'title');
  return title?.type === 'Property' && title.value.type === 'Literal' ? title.value.value : undefined;
}

/** @returns {import('vite').Plugin} serves the module `virtual:encoding-titles` */
export function encodingTitles() {
  return {
    name: 'phasor-encoding-titles',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      const files = readdirSync(FOLDER).filter((file) => file.endsWith('.ts'));
      const titles = files.map((file) => [
        basename(file, '.ts'),
        titleIn(this.parse(readFileSync(join(FOLDER, file), 'utf8'), { lang: 'ts' })),
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(titles.filter(([, title]) => title !== undefined)))};`;
    },
  };
}
