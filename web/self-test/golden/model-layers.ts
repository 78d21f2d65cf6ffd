// Compares windows, RoPE bases and layers without positional encoding, as read from configs.

import { type Case, consecutiveIntegers, type Methods } from './case.ts';

function createConfig(c: Case, pattern: string): Record<string, unknown> {
  const isNopePattern = pattern === 'nope_every';
  const interval = c.has('every') ? { [isNopePattern ? 'no_rope_layer_interval' : 'sliding_window_pattern']: c.number('every') } : {};
  return {
    model_type: isNopePattern ? 'smollm3' : pattern,
    num_hidden_layers: c.number('layers'),
    rope_theta: c.number(pattern === 'gemma3' ? 'global_base' : 'base'),
    ...(isNopePattern ? {} : { sliding_window: c.number('window') }),
    ...(pattern === 'gemma3' ? { rope_local_base_freq: c.number('local_base') } : {}),
    ...interval,
  };
}

export const modelLayers: Methods = {
  layer_pattern: async (c, phasor) => {
    const { layers } = await phasor.layersFromConfig(createConfig(c, c.text('pattern')));
    const shape = [layers.length];
    const valuesPerLayer = (number: (at: number) => number) => ({ shape, data: consecutiveIntegers(layers.length).map(number) });
    c.expect(
      'window',
      valuesPerLayer((at) => layers[at]?.window ?? 0),
      0,
    );
    c.expect(
      'no_encoding',
      valuesPerLayer((at) => (layers[at]?.encoding?.id === 'none' ? 1 : 0)),
      0,
    );
    // Layers without rotation have no base, but the case lists the default base for them.
    c.expect(
      'base',
      valuesPerLayer((at) => Number(layers[at]?.encoding?.base ?? c.number('base'))),
      0,
    );
  },
};
