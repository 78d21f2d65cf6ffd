// The start of the JavaScript programs: embeddings and gates.

interface ProgramInputs {
  readonly words: number;
  readonly dim: number;
  /** Embeddings as a literal; undefined if they are read from a file. */
  readonly rows: string | undefined;
  /** A comment on the gates, which begins with #. */
  readonly note: string;
  readonly gates: string;
}

export const programStart = ({
  words,
  dim,
  rows,
  note,
  gates,
}: ProgramInputs): string => `${rows === undefined ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const embeddings = {
  shape: [${words}, ${dim}],
  data: ${rows === undefined ? `new Float32Array(Uint8Array.from((await readFile('embeddings.npy')).subarray(-4 * ${words} * ${dim})).buffer)` : `Float32Array.from(${rows}.flat())`},
};
${note.replace('#', '//')}
const gates = { shape: [${words}], data: Float32Array.from(${gates}) };
`;
