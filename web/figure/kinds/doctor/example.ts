// A dump with a fault that is made up: random queries, rotated by the core otherwise than the claim says.
import { toBf16 } from '../../../engine/doctor/dump.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

export const FAULTS = [
  'wrong_pairing',
  'wrong_base',
  'scaling_unclaimed',
  'wrong_rotary_width',
  'reversed_direction',
  'rotated_twice',
  'position_offset',
  'positions_restart',
  'positions_stuck',
  'low_precision_positions',
  'not_rotated',
  'none',
] as const;
export type ExampleFault = (typeof FAULTS)[number];

const SHAPE = [2, 32, 64] as const;
const [, TOKENS, DIM] = SHAPE;
const SEED = 54;
/** The token at which positions break. */
const BREAK = 12;

/** 24 near tokens, and odd positions up to 501, some of which bfloat16 does not have. */
const POSITIONS = Array.from({ length: TOKENS }, (_, token) =>
  token < 24 ? token : Math.round(24 * (500 / 24) ** ((token - 23) / 8)) | 1,
);

/** The encoding and the positions of the port. */
function portOf(fault: ExampleFault, encoding: EncodingSpec): { readonly encoding: EncodingSpec; readonly positions: readonly number[] } {
  const changed = (params: object): EncodingSpec => ({ ...encoding, ...params });
  const moved = (move: (position: number, token: number) => number) => ({ encoding, positions: POSITIONS.map(move) });
  const base = typeof encoding.base === 'number' ? encoding.base : 10000;
  switch (fault) {
    case 'wrong_pairing':
      return { encoding: changed({ layout: encoding.layout === 'half_split' ? 'interleaved' : 'half_split' }), positions: POSITIONS };
    case 'wrong_base':
      return { encoding: changed({ base: base * 50 }), positions: POSITIONS };
    case 'scaling_unclaimed':
      return { encoding: changed({ scaling: 'linear', factor: 8 }), positions: POSITIONS };
    case 'wrong_rotary_width':
      return { encoding: changed({ rotary_dim: DIM / 2 }), positions: POSITIONS };
    case 'reversed_direction':
      return moved((position) => -position);
    case 'rotated_twice':
      return moved((position) => 2 * position);
    case 'position_offset':
      return moved((position) => position + 5);
    case 'positions_restart':
      return moved((position, token) => (token < BREAK ? position : position - BREAK));
    case 'positions_stuck':
      return moved((position) => Math.min(position, BREAK));
    case 'low_precision_positions':
      return moved(toBf16);
    case 'not_rotated':
      return moved(() => 0);
    default:
      return moved((position) => position);
  }
}

/** [heads, tokens, dim] each. */
export async function exampleDump(
  fault: ExampleFault,
  encoding: EncodingSpec,
  engine: Engine,
): Promise<{ readonly before: Tensor; readonly after: Tensor; readonly positions: readonly number[] }> {
  const before = await engine.randomNormal({ seed: SEED, shape: [...SHAPE] });
  const port = portOf(fault, encoding);
  const after = await engine.applyRotary(before, { encoding: port.encoding, positions: port.positions });
  return { before, after, positions: POSITIONS };
}
