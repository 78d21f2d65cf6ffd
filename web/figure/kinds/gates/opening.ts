// How the programs of both methods begin in JavaScript: with the embeddings and the gates.

interface Given {
  readonly words: number;
  readonly width: number;
  /** Embeddings as a literal; undefined where they are read from a file. */
  readonly rows: string | undefined;
  /** What the gates are, as a comment of Python. */
  readonly note: string;
  readonly gates: string;
}

export const opening = ({
  words,
  width,
  rows,
  note,
  gates,
}: Given): string => `${rows === undefined ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const embeddings = {
  shape: [${words}, ${width}],
  data: ${rows === undefined ? `new Float32Array(Uint8Array.from((await readFile('embeddings.npy')).subarray(-4 * ${words} * ${width})).buffer)` : `Float32Array.from(${rows}.flat())`},
};
${note.replace('#', '//')}
const gates = { shape: [${words}], data: Float32Array.from(${gates}) };
`;
