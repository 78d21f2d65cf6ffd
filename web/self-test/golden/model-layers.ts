// Windows, bases and the absence of positions, layer by layer, as read from configs.

import { type Case, type Methods, upward } from './case.ts';

/** The config of a model with the layer pattern of a case. */
function fileOf(c: Case, pattern: string): Record<string, unknown> {
  const nope = pattern === 'nope_every';
  const every = c.has('every') ? { [nope ? 'no_rope_layer_interval' : 'sliding_window_pattern']: c.number('every') } : {};
  return {
    model_type: nope ? 'smollm3' : pattern,
    num_hidden_layers: c.number('layers'),
    rope_theta: c.number(pattern === 'gemma3' ? 'global_base' : 'base'),
    ...(nope ? {} : { sliding_window: c.number('window') }),
    ...(pattern === 'gemma3' ? { rope_local_base_freq: c.number('local_base') } : {}),
    ...every,
  };
}

export const modelLayers: Methods = {
  layer_pattern: async (c, phasor) => {
    const { layers } = await phasor.layersFromConfig(fileOf(c, c.text('pattern')));
    const shape = [layers.length];
    const of = (number: (at: number) => number) => ({ shape, data: upward(layers.length).map(number) });
    c.expect(
      'window',
      of((at) => layers[at]?.window ?? 0),
      0,
    );
    c.expect(
      'no_encoding',
      of((at) => (layers[at]?.encoding?.id === 'none' ? 1 : 0)),
      0,
    );
    // The base of layers without rotation is unused.
    c.expect(
      'base',
      of((at) => Number(layers[at]?.encoding?.base ?? c.number('base'))),
      0,
    );
  },
};
