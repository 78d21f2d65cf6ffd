// The comparison as programs: one encoding after the other, since their functions have the same names.

import { entryAt } from '../../../charts/entry-at.ts';
import type { EncodingInfo } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { inverseOrder } from '../../compute/channels.ts';
import { headIndex } from '../../compute/sentence-fields.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { encodingCode } from '../../export/encoding-code.ts';
import { layerCode } from '../../export/layer-code.ts';
import type { Pair, Spec } from './matrices.ts';

/** How the matrix `name` of one encoding is made, after its functions. */
type Part = (encoding: EncodingSpec, name: 'a' | 'b') => SourceCode;
/** What a program needs beside the spec. */
type Known = Pick<Pair, 'embeddings' | 'channels'>;

/** The channels of every head, as a list in brackets. */
function channelList(channels: readonly number[], width: number): string {
  const block = channels.length;
  return `[${Array.from({ length: width }, (_, at) => at - (at % block) + entryAt(channels, at % block)).join(', ')}]`;
}

function layerPart(spec: Spec, encodings: readonly EncodingInfo[], { embeddings, channels }: Known, head: number): Part {
  const what = spec.show === 'scores' ? 'scores' : 'weights';
  const hidden = what === 'scores' ? 'none' : spec.mask;
  return (encoding, name) => {
    const scale = name === 'a' ? 0 : spec.scale;
    const layer = layerCode({ ...spec, encoding, scale, mask: hidden }, encodings, tokenize(spec.text).length, embeddings);
    const own = name === 'a' ? layer : layer.functions;
    const list = name === 'b' && channels ? channelList(channels, spec.width) : undefined;
    const chosen = `${name} = layer(embeddings${list ? `[:, ${list}]` : ''})[${what === 'scores' ? 0 : 1}][${head}]\n`;
    const moved = `const channels = ${list};
const moved = {
  shape: embeddings.shape,
  data: embeddings.data.map((_, at) => embeddings.data[at - (at % ${spec.width}) + channels[at % ${spec.width}]]),
};
`;
    return {
      numpy: own.numpy + chosen,
      pytorch: own.pytorch + chosen,
      phasor: `${own.phasor}${list ? moved : ''}const { ${what}: ${name} } = phasor.layer({ x: ${list ? 'moved' : 'embeddings'}, ${layer.request}, head: ${head}, want: ['${what}'] });\n`,
    };
  };
}

const START = "import { createPhasor } from 'phasor';\n\nconst phasor = await createPhasor();\n";

const oneHead = (head: number): string => `const oneHead = ({ shape: [, rows, columns], data }) => ({
  shape: [rows, columns],
  data: data.slice(${head} * rows * columns, ${head + 1} * rows * columns),
});
`;

function tablePart(spec: Spec, encodings: readonly EncodingInfo[], channels: Known['channels'], head: number): Part {
  const { show, length, width, offset, heads } = spec;
  return (encoding, name) => {
    const { numpy, pytorch, choice } = encodingCode(encoding, encodings);
    const start = name === 'a' ? START : '';
    const range = (first: number): string => `arange(${first}, ${first + length}, dtype=`;
    if (show === 'bias') {
      const made = `${name} = bias(${heads}, positions, positions)[${head}]\n`;
      return {
        numpy: `${numpy}\npositions = np.${range(0)}np.float64)\n${made}`,
        pytorch: `${pytorch}\npositions = torch.${range(0)}torch.float64)\n${made}`,
        phasor: `${start}${name === 'a' ? oneHead(head) : ''}const ${name} = oneHead(phasor.bias({ encoding: ${choice}, heads: ${heads}, width: ${width / heads}, queries: ${length}, keys: ${length} }));\n`,
      };
    }
    const cosine = show === 'similarity';
    const moved = name === 'b' && channels && !cosine ? `[${inverseOrder(channels).join(', ')}]` : undefined;
    const columns = moved ? `[:, ${moved}]` : '';
    const numpyUnit = `norms = np.linalg.norm(${name}, axis=1, keepdims=True)\n${name} = ${name} / np.where(norms > 0, norms, 1)\n`;
    const torchUnit = `${name} = torch.nn.functional.normalize(${name}, dim=1)\n`;
    const product = `${name} = ${name} @ ${name}.T\n`;
    const table = `phasor.table({ encoding: ${choice}, length: ${length}, width: ${width}, offset: ${offset} })`;
    return {
      numpy: `${numpy}\npositions = np.${range(offset)}np.float64)\n${name} = encode(positions, ${width})${columns}\n${cosine ? numpyUnit + product : ''}`,
      pytorch: `${pytorch}\npositions = torch.${range(offset)}torch.float64)\n${name} = encode(positions, ${width})${columns}\n${cosine ? torchUnit + product : ''}`,
      phasor: moved
        ? `const ownB = ${table};
const channels = ${moved};
const b = { shape: ownB.shape, data: ownB.data.map((_, at) => ownB.data[at - (at % ${width}) + channels[at % ${width}]]) };
`
        : `${start}const ${name} = ${cosine ? `phasor.similarity({ table: ${table} })` : table};\n`,
    };
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], numbers?: Known): SourceCode {
  const head = headIndex(spec);
  const known = numbers ?? { embeddings: undefined, channels: undefined };
  const isLayer = spec.show === 'weights' || spec.show === 'scores';
  const part = isLayer ? layerPart(spec, encodings, known, head) : tablePart(spec, encodings, known.channels, head);
  const a = part(spec.encoding, 'a');
  const b = part(spec.other, 'b');
  return {
    numpy: `${a.numpy}\n${b.numpy}\ndifference = b - a\n`,
    pytorch: `${a.pytorch}\n${b.pytorch}\ndifference = b - a\n`,
    phasor: `${a.phasor}${b.phasor}const difference = { shape: b.shape, data: b.data.map((value, index) => value - a.data[index]) };\n`,
  };
}
