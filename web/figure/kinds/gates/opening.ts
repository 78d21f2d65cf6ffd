// The start of the JavaScript programs: embeddings and gates.

interface ProgramInputs {
  readonly wordCount: number;
  readonly dim: number;
  /** The embeddings as a literal; undefined if the program reads them from a file. */
  readonly embeddingsLiteral: string | undefined;
  /** A Python comment on the gates. It is converted to JavaScript below. */
  readonly note: string;
  readonly gatesLiteral: string;
}

export const programStartCode = ({
  wordCount,
  dim,
  embeddingsLiteral,
  note,
  gatesLiteral,
}: ProgramInputs): string => `${embeddingsLiteral === undefined ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const embeddings = {
  shape: [${wordCount}, ${dim}],
  data: ${embeddingsLiteral === undefined ? `new Float32Array(Uint8Array.from((await readFile('embeddings.npy')).subarray(-4 * ${wordCount} * ${dim})).buffer)` : `Float32Array.from(${embeddingsLiteral}.flat())`},
};
${note.replace('#', '//')}
const gates = { shape: [${wordCount}], data: Float32Array.from(${gatesLiteral}) };
`;
