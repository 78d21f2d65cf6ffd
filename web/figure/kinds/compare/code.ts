import { entryAt } from '../../../charts/entry-at.ts';
import type { EncodingInfo } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { invertOrder } from '../../compute/channels.ts';
import { clampHeadIndex } from '../../compute/sentence-fields.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import type { EncodingDims } from '../../export/drawn-parameters.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { type PythonValue, pythonProgram } from '../../export/python-program.ts';
import type { MatrixPair, Spec } from './matrices.ts';

interface MatrixProgram {
  readonly imports: readonly string[];
  readonly values: { readonly [variable: string]: PythonValue };
  readonly lines: readonly string[];
  readonly phasor: string;
}
type MatrixProgramBuilder = (encoding: EncodingSpec, name: 'a' | 'b') => MatrixProgram;
const VARIABLES = { a: 'encoding', b: 'other' } as const;
type ProgramInputs = Pick<MatrixPair, 'embeddings' | 'channels'>;

/** Returns a list literal of `width` channel indices that applies the channel order of one head to every head. */
function formatChannels(channels: readonly number[], width: number): string {
  const blockWidth = channels.length;
  return `[${Array.from({ length: width }, (_, channel) => channel - (channel % blockWidth) + entryAt(channels, channel % blockWidth)).join(', ')}]`;
}

function createLayerProgram(
  spec: Spec,
  encodings: readonly EncodingInfo[],
  { embeddings, channels }: ProgramInputs,
  head: number,
): MatrixProgramBuilder {
  const quantity = spec.show === 'scores' ? 'scores' : 'weights';
  const mask = quantity === 'scores' ? 'none' : spec.mask;
  return (encoding, name) => {
    const scale = name === 'a' ? 0 : spec.scale;
    const length = tokenize(spec.text).length;
    const layer = generateLayerCode({ ...spec, encoding, scale, mask }, encodings, length, embeddings, VARIABLES[name]);
    const channelsLiteral = name === 'b' && channels ? formatChannels(channels, spec.dim) : undefined;
    const permuteChannelsCode = `const channels = ${channelsLiteral};
const permutedEmbeddings = {
  shape: embeddings.shape,
  data: embeddings.data.map((_, at) => embeddings.data[at - (at % ${spec.dim}) + channels[at % ${spec.dim}]]),
};
`;
    return {
      ...layer,
      lines: [`${name} = ${layer.call(`embeddings${channelsLiteral ? `[:, ${channelsLiteral}]` : ''}`)}.${quantity}[${head}]`],
      phasor: `${name === 'a' ? layer.phasor : ''}${channelsLiteral ? permuteChannelsCode : ''}const { ${quantity}: ${name} } = phasor.selfAttention({ x: ${channelsLiteral ? 'permutedEmbeddings' : 'embeddings'}, ${layer.request}, head: ${head}, outputs: ['${quantity}'] });\n`,
    };
  };
}

const PROGRAM_START = "import { createPhasor } from 'phasor';\n\nconst phasor = await createPhasor();\n";

const selectHeadCode = (head: number): string => `const selectHead = ({ shape: [, rows, columns], data }) => ({
  shape: [rows, columns],
  data: data.slice(${head} * rows * columns, ${head + 1} * rows * columns),
});
`;

function createTableProgram(
  spec: Spec,
  encodings: readonly EncodingInfo[],
  channels: ProgramInputs['channels'],
  head: number,
): MatrixProgramBuilder {
  const { show, length, dim, positionOffset, heads } = spec;
  return (encoding, name) => {
    const encodingLiteral = formatJsEncoding(encoding);
    const prefix = name === 'a' ? undefined : 'other_';
    const createValues = (dims: EncodingDims) => ({ [VARIABLES[name]]: createEncodingCall(encoding, encodings, dims, prefix) });
    const programStart = name === 'a' ? PROGRAM_START : '';
    if (show === 'bias') {
      const scale = encoding.placement === 'inside' ? `${dim / heads} ** -0.5 * ` : '';
      const positions = `np.arange(${length})`;
      return {
        imports: [],
        values: createValues({ heads, headDim: dim / heads }),
        lines: [`${name} = ${scale}${VARIABLES[name]}.attention_bias(${heads}, ${positions}, ${positions})[${head}]`],
        phasor: `${programStart}${name === 'a' ? selectHeadCode(head) : ''}const ${name} = selectHead(phasor.attentionBias({ encoding: ${encodingLiteral}, heads: ${heads}, headDim: ${dim / heads}, queries: ${length}, keys: ${length} }));\n`,
      };
    }
    const isSimilarity = show === 'similarity';
    const permutation = name === 'b' && channels && !isSimilarity ? `[${invertOrder(channels).join(', ')}]` : undefined;
    const columnIndex = permutation ? `[:, ${permutation}]` : '';
    const rows = `${VARIABLES[name]}.position_table(np.arange(${positionOffset}, ${positionOffset + length}), ${dim})${columnIndex}`;
    const table = `phasor.positionTable({ encoding: ${encodingLiteral}, length: ${length}, dim: ${dim}, positionOffset: ${positionOffset} })`;
    return {
      imports: isSimilarity ? ['from analysis import row_similarity'] : [],
      values: createValues({ embedDim: dim }),
      lines: [`${name} = ${isSimilarity ? `row_similarity(${rows})` : rows}`],
      phasor: permutation
        ? `const originalTable = ${table};
const channels = ${permutation};
const b = { shape: originalTable.shape, data: originalTable.data.map((_, at) => originalTable.data[at - (at % ${dim}) + channels[at % ${dim}]]) };
`
        : `${programStart}const ${name} = ${isSimilarity ? `analysis.similarity(phasor, { table: ${table} })` : table};\n`,
    };
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: ProgramInputs): SourceCode {
  const head = clampHeadIndex(spec);
  const inputs = results ?? { embeddings: undefined, channels: undefined };
  const isAttention = spec.show === 'weights' || spec.show === 'scores';
  const createProgram = isAttention
    ? createLayerProgram(spec, encodings, inputs, head)
    : createTableProgram(spec, encodings, inputs.channels, head);
  const a = createProgram(spec.encoding, 'a');
  const b = createProgram(spec.other, 'b');
  return {
    ...pythonProgram({
      imports: a.imports,
      values: { ...a.values, ...b.values },
      lines: [...a.lines, ...b.lines, 'difference = b - a'],
    }),
    phasor: withAnalysis(
      `${a.phasor}${b.phasor}const difference = { shape: b.shape, data: b.data.map((value, index) => value - a.data[index]) };\n`,
    ),
  };
}
