// The comparison as programs: one encoding after the other, since their functions have the same names.
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import { tokenize } from '../../sentence/tokens.ts';
import type { EncodingSpec } from '../fields.ts';
import type { SourceCode } from '../kind.ts';
import { encodingCode } from '../take-away/encoding-code.ts';
import { layerCode } from '../take-away/layer-code.ts';
import type { Spec } from './compare-matrices.ts';

/** How the matrix `name` of one encoding is made, after its functions. */
type Part = (encoding: EncodingSpec, name: 'a' | 'b') => SourceCode;

function weightsPart(spec: Spec, encodings: readonly EncodingInfo[], embeddings: Tensor | undefined, head: number): Part {
  return (encoding, name) => {
    const layer = layerCode({ ...spec, encoding }, encodings, tokenize(spec.text).length, embeddings);
    const own = name === 'a' ? layer : layer.functions;
    const chosen = `${name} = layer(embeddings)[1][${head}]\n`;
    return {
      numpy: own.numpy + chosen,
      pytorch: own.pytorch + chosen,
      phasor: `${own.phasor}const { weights: ${name} } = phasor.layer({ x: embeddings, ${layer.request}, head: ${head}, want: ['weights'] });\n`,
    };
  };
}

const START = "import { createPhasor } from 'phasor';\n\nconst phasor = await createPhasor();\n";

const oneHead = (head: number): string => `const oneHead = ({ shape: [, rows, columns], data }) => ({
  shape: [rows, columns],
  data: data.slice(${head} * rows * columns, ${head + 1} * rows * columns),
});
`;

function tablePart({ show, length, width, offset, heads }: Spec, encodings: readonly EncodingInfo[], head: number): Part {
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
    const numpyUnit = `norms = np.linalg.norm(${name}, axis=1, keepdims=True)\n${name} = ${name} / np.where(norms > 0, norms, 1)\n`;
    const torchUnit = `${name} = torch.nn.functional.normalize(${name}, dim=1)\n`;
    const product = `${name} = ${name} @ ${name}.T\n`;
    const table = `phasor.table({ encoding: ${choice}, length: ${length}, width: ${width}, offset: ${offset} })`;
    return {
      numpy: `${numpy}\npositions = np.${range(offset)}np.float64)\n${name} = encode(positions, ${width})\n${cosine ? numpyUnit + product : ''}`,
      pytorch: `${pytorch}\npositions = torch.${range(offset)}torch.float64)\n${name} = encode(positions, ${width})\n${cosine ? torchUnit + product : ''}`,
      phasor: `${start}const ${name} = ${cosine ? `phasor.similarity({ table: ${table} })` : table};\n`,
    };
  };
}

export function compareCode(spec: Spec, encodings: readonly EncodingInfo[], embeddings: Tensor | undefined, head: number): SourceCode {
  const part = spec.show === 'weights' ? weightsPart(spec, encodings, embeddings, head) : tablePart(spec, encodings, head);
  const a = part(spec.encoding, 'a');
  const b = part(spec.other, 'b');
  return {
    numpy: `${a.numpy}\n${b.numpy}\ndifference = b - a\n`,
    pytorch: `${a.pytorch}\n${b.pytorch}\ndifference = b - a\n`,
    phasor: `${a.phasor}${b.phasor}const difference = { shape: b.shape, data: b.data.map((value, index) => value - a.data[index]) };\n`,
  };
}
