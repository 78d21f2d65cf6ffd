// The first lines of the exported JavaScript programs: the embeddings and the gates.

interface ProgramInputs {
  readonly wordCount: number;
  readonly dim: number;
  /** Undefined if the program reads the embeddings from a file. */
  readonly embeddingsLiteral: string | undefined;
  /** A Python comment that describes the gates; converted to a JavaScript comment. */
  readonly gateComment: string;
  readonly gatesLiteral: string;
}

export const programStartCode = ({
  wordCount,
  dim,
  embeddingsLiteral,
  gateComment,
  gatesLiteral,
}: ProgramInputs): string => `${embeddingsLiteral === undefined ? "import { readFile } from 'node:fs/promises';\n" : ''}import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const embeddings = {
  shape: [${wordCount}, ${dim}],
  data: ${embeddingsLiteral === undefined ? `new Float32Array(Uint8Array.from((await readFile('embeddings.npy')).subarray(-4 * ${wordCount} * ${dim})).buffer)` : `Float32Array.from(${embeddingsLiteral}.flat())`},
};
${gateComment.replace('#', '//')}
const gates = { shape: [${wordCount}], data: Float32Array.from(${gatesLiteral}) };
`;
