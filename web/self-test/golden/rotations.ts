// Rotations of queries and keys for sequences and videos (the golden family rope).

import type { Params } from '../../engine/types/api.ts';
import { type Case, consecutiveIntegers, type Methods, type Runner, TABLE_TOLERANCE } from './case.ts';

type Engine = Parameters<Runner>[1];

export const baseParam = (c: Case) => (c.has('base') ? { base: c.number('base') } : {});
export const roleOf = (name: string) => (name === 'k' ? 'key' : 'query');

async function expectRotation(c: Case, phasor: Engine, id: string, params: Params, name: string, suffix = '_rot'): Promise<void> {
  const x = c.tensor(name, 3);
  const tokens = x.shape[1] ?? 0;
  c.expectParam('n', tokens);
  c.expectParam('d', x.shape[2]);
  const positions = c.hasInput('position_ids') ? c.input('position_ids').data : consecutiveIntegers(tokens, c.numberOr('offset', 0));
  c.expect(name + suffix, await phasor.applyRotary(x, { encoding: { id, ...params }, positions, role: roleOf(name) }), TABLE_TOLERANCE);
}

async function expectBothRotations(c: Case, phasor: Engine, encoding: string, params: Params): Promise<void> {
  await expectRotation(c, phasor, encoding, params, 'q');
  if (c.hasInput('k')) await expectRotation(c, phasor, encoding, params, 'k');
}

export async function expectFrequencies(c: Case, phasor: Engine, params: Params): Promise<number> {
  const { invFreq, attentionFactor } = await phasor.ropeFrequencies({
    encoding: { id: 'rope', ...params },
    dim: c.integer('d'),
  });
  c.expect('inv_freq', invFreq, 1e-6, 'relative');
  return attentionFactor;
}

/** Creates a method that compares rotations by rope, and the frequencies if the case has them. */
const ropeRunner =
  (params: (c: Case) => Params, suffix?: string): Runner =>
  async (c, phasor) => {
    const ropeParams = { ...params(c), ...baseParam(c) };
    if (c.hasOutput('inv_freq')) await expectFrequencies(c, phasor, ropeParams);
    if (suffix) await expectRotation(c, phasor, 'rope', ropeParams, 'q', suffix);
    else await expectBothRotations(c, phasor, 'rope', ropeParams);
  };

const xposRunner =
  (center: string, formula: string): Runner =>
  async (c, phasor) => {
    c.expectParam('center', formula);
    const params = { center, scale_base: c.number('scale_base'), ...(c.has('gamma') ? { gamma: c.number('gamma') } : {}), ...baseParam(c) };
    await expectBothRotations(c, phasor, 'xpos', { ...params, length: c.number('n') });
    if (!c.hasOutput('zeta')) return;
    // At a distance of scale_base tokens from the centre, each pair of a query is multiplied by its zeta. The input pairs have norm
    // sqrt(2).
    const width = c.integer('d');
    const onesTensor = { shape: [1, 1, width], data: new Float32Array(width).fill(1) };
    const { data } = await phasor.applyRotary(onesTensor, {
      encoding: { id: 'xpos', ...params, length: 0 },
      positions: [c.number('scale_base')],
    });
    const zeta = consecutiveIntegers(width / 2).map(
      (t) => Math.hypot(data[2 * t] ?? Number.NaN, data[2 * t + 1] ?? Number.NaN) / Math.SQRT2,
    );
    c.expect('zeta', { shape: [width / 2], data: zeta }, TABLE_TOLERANCE);
  };

/** Creates a method that compares rotations by mrope. position_ids_thw [axes, tokens] is transposed to positions [tokens, axes]. */
const mropeRunner =
  (arrangement: string): Runner =>
  async (c, phasor) => {
    const sections = c.numbers('mrope_section');
    const { shape, data } = c.input('position_ids_thw');
    const [axes = 0, tokens = 0] = shape;
    if (shape.length !== 2 || axes !== 3) c.fail('input position_ids_thw is not [3, token]');
    const positions = {
      shape: [tokens, 3],
      data: consecutiveIntegers(tokens).flatMap((token) => [0, 1, 2].map((axis) => data[axis * tokens + token] ?? 0)),
    };
    const request = {
      encoding: { id: 'mrope', arrangement, sections, ...baseParam(c) },
      positions,
    };
    if (c.hasOutput('angle')) c.expect('angle', await phasor.rotaryAngles({ ...request, dim: c.integer('d') }), TABLE_TOLERANCE);
    for (const name of ['q', 'k'].filter((name) => c.hasInput(name))) {
      const x = c.tensor(name, 3);
      c.expectParam('d', x.shape[2]);
      c.expect(`${name}_rot`, await phasor.applyRotary(x, { ...request, role: roleOf(name) }), TABLE_TOLERANCE);
    }
  };

export const rotations: Methods = {
  rope_inv_freq: async (c, phasor) => {
    await expectFrequencies(c, phasor, baseParam(c));
  },
  rope_half: ropeRunner(() => ({ layout: 'half_split' })),
  rope_interleaved: ropeRunner(() => ({ layout: 'interleaved' })),
  rope_partial_half: ropeRunner((c) => ({ layout: 'half_split', rotary_dim: c.number('rotary_dim') })),
  rope_partial_interleaved: ropeRunner((c) => ({ layout: 'interleaved', rotary_dim: c.number('rotary_dim') })),
  rope_p: ropeRunner((c) => ({ layout: 'half_split', kept_fraction: c.number('p') }), '_rot_half'),
  xpos_torchscale: xposRunner('torchscale', 'min_pos = floor(-n/2)'),
  xpos_lucidrains: xposRunner('lucidrains', 'pos - n//2'),
  mrope_sections: mropeRunner('contiguous'),
  mrope_interleaved: mropeRunner('interleaved'),
};
