// Layers without attention and bidirectional windows in the layers figure.
import { describe, expect, it } from 'vitest';
import type { LayerGroup } from '../../../web/figure/kinds/layers/compute.ts';
import { kind } from '../../../web/figure/kinds/layers/index.ts';
import { figureOf } from './table-figures.ts';

const read = (config: object) => figureOf(kind, { config: JSON.stringify(config) });
const visibleKeyCounts = (groups: readonly LayerGroup[]) => groups.map(({ maxVisibleKeys }) => maxVisibleKeys);

describe('layers figure', () => {
  it('draws bars of one token for layers without attention', async () => {
    const next = await read({ model_type: 'qwen3_next', num_hidden_layers: 8 });
    expect(visibleKeyCounts(next.results.groups)).toEqual([1, next.results.context]);
    expect(next.proof().good).toBe(true);
    expect(JSON.stringify(next.scene().picture)).toContain('no attention (linear attention)');
  });

  it('counts the keys on both sides of a bidirectional window', async () => {
    const modern = await read({ model_type: 'modernbert', num_hidden_layers: 3 });
    expect(visibleKeyCounts(modern.results.groups)).toEqual([modern.results.context, 129]);
    expect(modern.proof().good).toBe(true);
  });
});
