// The encodings with a shipped character or induction model, from public/models/index.json, so that a figure offers them before it fetches the index.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'virtual:shipped-encodings';
/** The minimum accuracy, at the training length, of a model that has learned to copy. */
const LEARNED = 0.9;
const INDEX = join(import.meta.dirname, '../../public/models/index.json');

/** @returns {import('vite').Plugin} serves the module `virtual:shipped-encodings` */
export function shippedEncodings() {
  return {
    name: 'phasor-shipped-encodings',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load(id) {
      if (id !== `\0${NAME}`) return undefined;
      this.addWatchFile(INDEX);
      /** @type {{ models: { spec: { task: string, encoding: { id: string } }, lengths: { score: number }[] }[] }} */
      const { models } = JSON.parse(readFileSync(INDEX, 'utf8'));
      /** @param {string} task */
      const ids = (task) => JSON.stringify(models.filter(({ spec }) => spec.task === task).map(({ spec }) => spec.encoding.id));
      const learned = models.filter(({ spec, lengths }) => spec.task === 'induction' && (lengths[0]?.score ?? 0) >= LEARNED);
      const copying = JSON.stringify(learned.map(({ spec }) => spec.encoding.id));
      return `export default ${ids('text')};\nexport const induction = ${ids('induction')};\nexport const copying = ${copying};`;
    },
  };
}
