// The code of a layer: its call in Python, random projections, and embeddings read from a file.
import { describe, expect, it } from 'vitest';
import { createPhasor } from '../../web/engine/node.ts';
import { createLayerFields } from '../../web/figure/compute/sentence-fields.ts';
import { readSpec } from '../../web/figure/contract/spec.ts';
import { generateLayerCode } from '../../web/figure/export/layer-code.ts';
import { encodeNpy } from '../../web/figure/export/npy.ts';
import { pythonProgram } from '../../web/figure/export/python-program.ts';

const phasor = await createPhasor({ wasm: 'build/wasm/phasor.wasm', variant: 'simd' });
const specOf = (provided: object) => readSpec({ id: 'layer', fields: createLayerFields('none') }, { dim: 8, heads: 2, ...provided });

describe('generateLayerCode', () => {
  it('generates a call with the chosen parameters', () => {
    const spec = specOf({ encoding: 'sinusoidal', mask: 'causal', projections: 'orthogonal', seed: 3, positionOffset: 5 });
    const x = phasor.randomNormal({ seed: 1, shape: [4, 8] });
    const { imports, values, call, request } = generateLayerCode(spec, phasor.encodings, 4, x);
    const { python, data } = pythonProgram({ imports, values, lines: [`output = ${call('embeddings')}.output`] });
    expect(python.replace(/array\(.*\)/, 'array(…)')).toBe(`import numpy as np

from attention import self_attention
from sinusoidal import Sinusoidal

encoding = Sinusoidal()
embeddings = np.array(…)
projections = np.load('projections.npy').astype(float)
output = self_attention(embeddings, encoding, heads=2, positions=np.arange(5, 9), projections=projections, mask='causal').output
`);
    expect(Object.keys(data)).toEqual(['projections.npy']);
    expect(request).toBe("encoding: 'sinusoidal', heads: 2, mask: 'causal', projections: 'orthogonal', seed: 3, positionOffset: 5");
  });

  it('reads embeddings from a file if they are too many or unknown', async () => {
    const x = phasor.randomNormal({ seed: 2, shape: [300, 64] });
    for (const input of [x, undefined]) {
      const code = generateLayerCode(specOf({ dim: 64 }), phasor.encodings, 300, input);
      expect(code.values.embeddings).toEqual({
        expression: "np.load('embeddings.npy').astype(float)",
        ...(input ? { data: { 'embeddings.npy': x } } : {}),
      });
      const body = code.phasor.replace(/^import .*$/gm, '').replace(/^const phasor = .*$/m, '');
      const run = new Function('readFile', `return (async () => {${body}\nreturn embeddings; })();`);
      expect(await run(async () => Buffer.from(encodeNpy(x)))).toEqual(x);
    }
  });
});
