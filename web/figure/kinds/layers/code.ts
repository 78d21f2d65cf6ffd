import type { EncodingInfo } from '../../../engine/index.ts';
import type { SourceCode } from '../../contract/kind.ts';
import { pythonProgram } from '../../export/python-program.ts';
import { type LayerResults, selectConfig } from './compute.ts';
import type { Spec } from './index.ts';

/** A JSON.stringify replacer that converts a Float32Array to an array. */
const toPlainArray = (_: string, value: unknown): unknown => (value instanceof Float32Array ? Array.from(value) : value);

export function code(spec: Spec, _: readonly EncodingInfo[], results?: LayerResults): SourceCode {
  const { config, context } = results ?? { config: selectConfig(spec).config, context: spec.context || 131072 };
  return {
    ...pythonProgram({
      imports: ['from model_layers import model_layers'],
      values: {
        config_layers: {
          importLine: 'import json',
          expression: "json.load(open('layers.json'))",
          ...(results ? { data: { 'layers.json': JSON.stringify(results.layers, toPlainArray, 1) } } : {}),
        },
      },
      lines: [`layers = model_layers(config_layers, context=${context})`],
    }),
    phasor: `import { createPhasor } from 'phasor';

const phasor = await createPhasor();
const config = ${JSON.stringify(config, null, 1)};
const context = ${context};
const configLayers = phasor.layersFromConfig(config).layers;
const rows = configLayers.map(({ encoding, window = 0, windowAhead = 0, chunk = 0, softcap = 0, sinks, qkNorm, temperature }) => [
  (encoding?.id ?? 'none') === 'none' ? 0 : 1,
  encoding?.base ?? 0,
  (encoding?.scaling ?? 'none') === 'none' ? 1 : (encoding.factor ?? 1),
  window,
  chunk,
  encoding ? Math.min(window ? window + windowAhead : chunk || context, context) : 1,
  softcap,
  sinks ? 1 : 0,
  qkNorm ? 1 : 0,
  temperature ? 1 : 0,
]);
const layers = { shape: [rows.length, 10], data: Float32Array.from(rows.flat()) };
`,
  };
}
