import type { EncodingInfo } from '../../../engine/index.ts';
import { tokenize } from '../../../sentence/tokens.ts';
import { clampHeadIndex, withoutTrainedProjections } from '../../compute/sentence-fields.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { generateLayerCode } from '../../export/layer-code.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { trainedCode } from '../../export/trained-code.ts';
import type { Results, Spec } from './compute.ts';

function trainedProgram(spec: Spec, encodings: readonly EncodingInfo[], results: Results | undefined): SourceCode {
  if (!results?.trained) return { python: '', phasor: '', data: {} };
  const { imports, values, call, phasor, request } = trainedCode(results.trained, encodings);
  const head = clampHeadIndex(spec);
  return {
    ...pythonProgram({ imports, values, lines: [`weights = ${call}.weights[${head}]`] }),
    phasor: `${phasor}// [heads, words, words]; the figure shows head ${head}, counted from 0.
const { weights } = phasor.attention({ q, k, v, ${request}, outputs: ['weights'] });
`,
  };
}

export function code(spec: Spec, encodings: readonly EncodingInfo[], results?: Results): SourceCode {
  if (spec.projections === 'trained') return trainedProgram(spec, encodings, results);
  const { imports, values, call, phasor, request } = generateLayerCode(
    withoutTrainedProjections(spec),
    encodings,
    tokenize(spec.text).length,
    results?.embeddings,
  );
  const head = clampHeadIndex(spec);
  const injection = encodings.find(({ id }) => id === spec.encoding.id)?.injection;
  const positions = `${spec.positionOffset} + np.arange(len(embeddings))`;
  const encodingLines =
    injection === 'input'
      ? [`added = encoding.position_table(${positions}, ${spec.dim})`]
      : injection === 'score'
        ? [`positions = ${positions}`, `added = encoding.attention_bias(${spec.heads}, positions, positions)[${head}]`]
        : [];
  return {
    ...pythonProgram({ imports, values, lines: [`weights = ${call('embeddings')}.weights[${head}]`, ...encodingLines] }),
    phasor: `${phasor}const { weights } = phasor.selfAttention({ x: embeddings, ${request}, head: ${head}, outputs: ['weights'] });\n`,
  };
}
