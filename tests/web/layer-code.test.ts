// A layer as programs: what stands in them for each place where positions enter, and that the one for phasor runs.
import { describe, expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import { layerFields } from '../../web/figure/compute/sentence-fields.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { layerCode } from '../../web/figure/export/layer-code.ts';
import { npyOf } from '../../web/figure/export/npy.ts';

const phasor = await createPhasor({ wasm: 'build/wasm/phasor.wasm', variant: 'simd' });
const specOf = (given: object) => readSpec({ id: 'layer', fields: layerFields('none') }, { width: 8, heads: 2, ...given });

describe('a layer as code', () => {
  it('does each step once, in the order of the core', () => {
    const spec = specOf({ encoding: 'sinusoidal', mask: 'causal', projections: 'orthogonal', seed: 3, offset: 5 });
    const { numpy, request } = layerCode(spec, phasor.encodings, 4, phasor.gaussian({ seed: 1, shape: [4, 8] }));
    const steps = [
      'def encode(positions, width):',
      'positions = np.arange(5, 9, dtype=np.float64)',
      'def gaussian(seed, rows, columns):',
      'x[:, : table.shape[1]] += table',
      'orthogonal(3 * 3 + which, x.shape[1])',
      'scale = q.shape[-1] ** -0.5',
      'np.where(positions[None, :] <= positions[:, None], scores, -np.inf)',
      'embeddings = np.array([',
    ];
    const places = steps.map((step) => numpy.indexOf(step));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(request).toBe("encoding: 'sinusoidal', heads: 2, mask: 'causal', projections: 'orthogonal', seed: 3, offset: 5");
  });

  it('draws the numbers of projections as the core does', () => {
    // The Python of the program in JavaScript's whole numbers.
    const uniform: number[] = [];
    let state = 9n;
    const low = (value: bigint): bigint => BigInt.asUintN(64, value);
    for (let count = 0; count < 6; count++) {
      state = low(state + 0x9e3779b97f4a7c15n);
      const first = low((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
      const second = low((first ^ (first >> 27n)) * 0x94d049bb133111ebn);
      uniform.push((Number((second ^ (second >> 31n)) >> 11n) + 0.5) * 2 ** -53);
    }
    const normal = [0, 2, 4].flatMap((at) => {
      const radius = Math.sqrt(-2 * Math.log(uniform[at] as number));
      const turn = 2 * Math.PI * (uniform[at + 1] as number);
      return [radius * Math.cos(turn), radius * Math.sin(turn)];
    });
    const { data } = phasor.gaussian({ seed: 9, shape: [2, 3] });
    for (const [index, value] of normal.entries()) expect(data[index]).toBeCloseTo(value, 6);
    const { numpy } = layerCode(specOf({ projections: 'orthogonal' }), phasor.encodings, 1, undefined);
    for (const constant of ['0x9E3779B97F4A7C15', '0xBF58476D1CE4E5B9', '0x94D049BB133111EB']) expect(numpy).toContain(constant);
  });

  it('reads embeddings from the file of the figure where they are too many, or not known', async () => {
    const x = phasor.gaussian({ seed: 2, shape: [300, 64] });
    for (const given of [x, undefined]) {
      const code = layerCode(specOf({ width: 64 }), phasor.encodings, 300, given);
      expect(code.numpy).toContain("embeddings = np.load('embeddings.npy')");
      expect(code.pytorch).toContain('import numpy as np\nimport torch\n');
      const body = code.phasor.replace(/^import .*$/gm, '').replace(/^const phasor = .*$/m, '');
      const run = new Function('readFile', `return (async () => {${body}\nreturn embeddings; })();`);
      expect(await run(async () => Buffer.from(npyOf(x)))).toEqual(x);
    }
  });
});
