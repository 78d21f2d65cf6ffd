// The titles of the encodings by id, as web/encodings/<id>.ts say them: a figure names encodings in words without bringing their descriptions along.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const NAME = 'virtual:encoding-titles';
const FOLDER = join(import.meta.dirname, '../../web/encodings');

/** The title in the object that a program exports as `description`; undefined in a file without one. */
function titleIn({ body }) {
  const declared = body.flatMap(({ declaration }) => declaration?.declarations ?? []);
  const description = declared.find(({ id }) => id.name === 'description')?.init;
  return description?.properties?.find(({ key }) => key?.name === 'title')?.value.value;
}

/**
 * Vite plugin: serves the module `virtual:encoding-titles`.
 * @returns {import('vite').Plugin}
 */
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
