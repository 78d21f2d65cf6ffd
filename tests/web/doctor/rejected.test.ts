// The header of a GGUF against a config, and dumps that are rejected or cannot tell.
import { describe, expect, it } from 'vitest';
import type { DiagnoseRequest } from '../../../web/engine/doctor/requests.ts';
import { diagnose } from '../../../web/engine/doctor.node.ts';
import { axes, claim, dim, dumped, heads, shape, tensors, tokens } from './small-dump.ts';

describe('a GGUF', () => {
  const config = {
    ...{ model_type: 'gemma3_text', head_dim: 256, hidden_size: 640, num_hidden_layers: 6, num_attention_heads: 4, num_key_value_heads: 1 },
    ...{ rope_theta: 1e6, rope_local_base_freq: 10000, sliding_window: 512, _sliding_window_pattern: 6 },
  };
  const gguf = { 'general.architecture': 'gemma3', 'gemma3.rope.freq_base': 1e6 };

  it('has a base for layers with a window, its own or that of llama.cpp', async () => {
    for (const layerIdx of [undefined, 0, 5]) expect((await diagnose({ config, layerIdx, gguf })).verdict).toBe('as_claimed');
    const wrong = { ...gguf, 'gemma3.rope.freq_base_swa': 5000 };
    const params = { key: 'rope.freq_base_swa', found: 5000, claimed: 10000 };
    expect(await diagnose({ config, gguf: wrong })).toMatchObject({ verdict: 'wrong_base', params });
    expect((await diagnose({ config, layerIdx: 5, gguf: wrong })).verdict).toBe('as_claimed');
    expect(await diagnose({ config: { ...config, rope_theta: 5e5 }, gguf })).toMatchObject({
      verdict: 'wrong_base',
      params: { key: 'rope.freq_base', found: 1e6, claimed: 5e5 },
    });
  });
});

describe('what cannot be told, or is no such dump', () => {
  const dump = (change: object) => diagnose({ ...tensors(dumped()), axes, claim, ...change } as DiagnoseRequest);

  it('says why, and blames nothing', async () => {
    const { before, after } = dumped();
    const other = dumped();
    const broken = after.slice();
    broken[5] = Number.NaN;
    const cases: [object, string, string][] = [
      [tensors({ before, after: after.subarray(0, 16 * heads * dim) }, shape), 'rejected', ''],
      [{ after: { shape: [16, heads, dim], data: after.subarray(0, 16 * heads * dim) } }, 'cannot_tell', 'shapes_differ'],
      [{ after: { shape, data: broken } }, 'not_explained', 'not_finite'],
      [tensors({ before: new Float32Array(before.length), after: new Float32Array(before.length) }), 'cannot_tell', 'input_is_zero'],
      [
        { positions: new Array(tokens).fill(0), after: { shape, data: before }, before: { shape, data: before } },
        'cannot_tell',
        'only_position_zero',
      ],
      [tensors({ before, after: other.after }), 'not_explained', 'not_a_rotation'],
    ];
    for (const [change, verdict, reason] of cases) {
      if (verdict === 'rejected') await expect(dump(change)).rejects.toThrow('has 1536 numbers, but 1024 are provided');
      else expect(await dump(change)).toMatchObject({ verdict, reason });
    }
  });

  it('suspects exchanged files, and axes in the other order', async () => {
    const { before, after } = dumped();
    const swapped = await dump(tensors({ before: after, after: before }));
    expect(swapped.verdict).toBe('reversed_direction');
    expect(swapped.fix).toContain('wrong order');
    const turned = await dump({ ...tensors({ before, after }), axes: 'heads,tokens,dim' });
    expect(turned.verdict).toBe('rotated_along_heads');
    expect(turned.sentence).toContain('other order');
  });

  it('rejects positions of another number, or without a value', async () => {
    await expect(dump({ positions: [0, 1] })).rejects.toThrow('positions: there are 2, but 24 tokens');
    await expect(dump({ positions: new Array(tokens).fill(Number.NaN) })).rejects.toThrow('positions: they are not all finite');
    await expect(dump({ layerIdx: 2 })).rejects.toThrow('layerIdx: it selects a layer of config');
    await expect(dump({ position: [] })).rejects.toThrow('position: it is not a field of this dump');
  });
});
