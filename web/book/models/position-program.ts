// Generates a PyTorch program for the positions in a model's layers. It calls public/reference/model_positions.py with the parameters of each layer.
import type { ConfigLayer } from '../../engine/index.ts';
import { formatKeywordArguments } from '../../figure/export/encoding-call.ts';

/** The properties of a layer that affect positions. */
export type PositionedLayer = Pick<
  ConfigLayer,
  'type' | 'stack' | 'encoding' | 'causal' | 'window' | 'windowAhead' | 'chunk' | 'rotatesValues' | 'temperature'
>;

const formatCall = (name: string, positional: readonly string[], params: { readonly [name: string]: unknown }): string =>
  `${name}(${[...positional, ...formatKeywordArguments(params)].join(', ')})`;

function formatEncodingLines({ encoding, rotatesValues }: PositionedLayer): readonly string[] {
  if (!encoding) return [];
  const { id, ...params } = encoding;
  const { max_length = 512, ...otherParams } = params;
  switch (id) {
    case 'none':
      return [];
    case 'learned':
      return [`x = x + ${formatCall(id, ['positions', 'table'], otherParams)}  # table (${max_length}, dim)`];
    case 'sinusoidal':
      return [`x = x + ${formatCall(id, ['positions', 'dim'], params)}`];
    case 'alibi':
      return [`bias = ${formatCall(id, ['positions', 'heads'], params)}`];
    case 't5':
      return [`bias = ${formatCall(id, ['positions', 'table'], params)}  # table (${params.num_buckets ?? 32}, heads)`];
    case 'transformer_xl':
      return [`scores = scale * (q @ k.mT + ${formatCall(id, ['positions', 'q', 'k', 'u', 'v', 'w_r'], params)})`];
    default: {
      const tensors = rotatesValues ? ['q', 'k', 'v'] : ['q', 'k'];
      return [`${tensors.join(', ')} = ${formatCall(id, ['positions', ...tensors], params)}`];
    }
  }
}

function formatMaskLines({ causal, window, windowAhead, chunk }: PositionedLayer): readonly string[] {
  if (causal === false && window === undefined && chunk === undefined) return [];
  return [`mask = ${formatCall('visible', ['tokens'], { causal, window, window_ahead: windowAhead, chunk })}`];
}

function formatTemperatureLines({ temperature }: PositionedLayer): readonly string[] {
  if (!temperature) return [];
  const { floorScale, attnScale, first } = temperature;
  return [`q = q * ${formatCall('temperature', ['positions'], { floor_scale: floorScale, attn_scale: attnScale, first })}`];
}

const formatProgramLines = (layer: PositionedLayer): readonly string[] =>
  layer.encoding ? [...formatEncodingLines(layer), ...formatTemperatureLines(layer), ...formatMaskLines(layer)] : [];

/** Selects one layer for each distinct program, and skips layers without a program. */
export function selectDistinctLayers(layers: readonly PositionedLayer[]): readonly PositionedLayer[] {
  const layersWithProgram = layers.filter((layer) => formatProgramLines(layer).length > 0);
  return [...new Map(layersWithProgram.map((layer) => [[layer.stack, ...formatProgramLines(layer)].join('\n'), layer])).values()];
}

export function generatePositionProgram(layers: readonly PositionedLayer[]): string {
  if (layers.length === 0) return '';
  const layerPrograms = layers.map((layer) => {
    const name = [layer.stack, layer.type].filter(Boolean).join(', ');
    return [...(layers.length > 1 ? [`# ${name}`] : []), ...formatProgramLines(layer)];
  });
  const programLines = layerPrograms.flat();
  const functionNames = [...new Set(programLines.flatMap((line) => /(\w+)\((?:positions|tokens)/.exec(line)?.[1] ?? []))].sort();
  return [`from model_positions import ${functionNames.join(', ')}`, '', ...programLines].join('\n');
}
