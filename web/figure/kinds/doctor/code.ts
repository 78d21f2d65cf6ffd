// Programs that compute how far dumped vectors deviate from the claimed encoding's rotation.
import type { EncodingInfo } from '../../../engine/index.ts';
import { type EncodingSpec, encodingSpec } from '../../contract/fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { createEncodingCall } from '../../export/encoding-call.ts';
import { formatJsEncoding } from '../../export/encoding-choice.ts';
import { pythonArray, pythonProgram } from '../../export/python-program.ts';
import type { DoctorResults } from './compute.ts';
import type { Spec } from './index.ts';
import { strings } from './strings.ts';

export function code(_: Spec, encodings: readonly EncodingInfo[], results?: DoctorResults): SourceCode {
  const { report, sample, isComparison } = results ?? {};
  const map = report?.map;
  if (!report || !map?.claimed || !sample || report.claim?.id !== 'rope') throw new SpecError('dump', strings.noProgram);
  const [beforeName, afterName] = isComparison ? (['reference', 'ours'] as const) : (['before', 'after'] as const);
  const { id, ...params } = report.claim as EncodingSpec;
  const claim = encodingSpec(id, params);
  const [, , dim = 0] = sample.before.shape;
  const { pairs = 0, columns = 0 } = map.claimed ?? {};
  const isInterleaved = (claim.layout ?? 'interleaved') === 'interleaved';
  const positions = `[${map.positions.join(', ')}]`;
  return {
    ...pythonProgram({
      values: {
        [beforeName]: pythonArray(beforeName, sample.before),
        [afterName]: pythonArray(afterName, sample.after),
        ...(isComparison ? {} : { encoding: createEncodingCall(claim, encodings, { headDim: dim }) }),
      },
      lines: [
        `error = (${afterName} - ${isComparison ? beforeName : `encoding.apply_rotary(${beforeName}, np.array(${positions}))`}) ** 2`,
        `pairs = ${isInterleaved ? `np.arange(${2 * pairs}).reshape(-1, 2)` : `np.arange(${2 * pairs}).reshape(2, -1).T`}`,
        'groups = [*pairs]',
        ...(columns > pairs ? [`groups.append(np.arange(${2 * pairs}, ${dim}))`] : []),
        `claimed = np.stack([np.sqrt(error[..., g].sum((0, 2)) / (${afterName}[..., g] ** 2).sum((0, 2))) for g in groups], 1)`,
      ],
    }),
    phasor: `import { readFile } from 'node:fs/promises';
import { diagnose } from 'phasor/doctor';

// Reads .npy files that contain float32 values in C order.
const array = async (name) => ({
  shape: [${sample.before.shape.join(', ')}],
  data: new Float32Array(Uint8Array.from((await readFile(\`\${name}.npy\`)).subarray(-4 * ${sample.before.data.length})).buffer),
});
const report = await diagnose({
  ${beforeName}: await array('${beforeName}'),
  ${afterName}: await array('${afterName}'),
  axes: 'heads,tokens,dim',
  positions: ${positions},
  claim: ${formatJsEncoding(claim)},
});
console.log(report.sentence);
const claimed = { shape: [report.map.positions.length, report.map.claimed.columns], data: Float32Array.from(report.map.claimed.values) };
`,
  };
}
