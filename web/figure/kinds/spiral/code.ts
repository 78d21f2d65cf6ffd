import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { withUsedParams } from '../../contract/parameters.ts';
import { withAnalysis } from '../../export/analysis-import.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { COLUMNS_JS } from '../../export/table-code.ts';
import type { Spiral } from './compute.ts';
import type { Spec } from './fields.ts';

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: Spiral): SourceCode {
  const { dim, length, positionOffset, show } = spec;
  const encoding = withUsedParams(spec.encoding, encodings);
  const channels = results?.channels ?? [];
  const isSinglePair = show === 'one_pair';
  const channelsLiteral = `[${channels.join(', ')}]`;
  return {
    ...pythonProgram({
      values: { encoding: createEncodingCall(encoding, encodings, { headDim: dim }) },
      lines: [
        `positions = np.arange(${positionOffset}, ${positionOffset + length})`,
        `angles = encoding.rotary_angles(positions, ${dim})`,
        `rotated = encoding.apply_rotary(np.ones((1, ${length}, ${dim})), positions)[0][:, ${isSinglePair ? channelsLiteral : `:${channels.length}`}]`,
        'rotated = rotated / np.linalg.norm(rotated, axis=1, keepdims=True)',
        'similarity = rotated @ rotated.T',
      ],
    }),
    phasor: withAnalysis(`import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const encoding = ${formatJsEncoding(encoding)};
const [dim, length] = [${dim}, ${length}];
const positions = Array.from({ length }, (_, index) => ${positionOffset} + index);
const angles = phasor.rotaryAngles({ encoding, positions, dim });
const ones = { shape: [1, length, dim], data: new Float32Array(length * dim).fill(1) };
const { data } = phasor.applyRotary(ones, { encoding, positions });
${COLUMNS_JS}const channels = ${isSinglePair ? channelsLiteral : `Array.from({ length: ${channels.length} }, (_, channel) => channel)`};
const similarity = analysis.similarity(phasor, { table: columns({ shape: [length, dim], data }, channels) });
`),
  };
}
