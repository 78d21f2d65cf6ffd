// Generates example cos and sin tables, inverse frequencies and position ids that contain a fault.
import { toBf16 } from '../../../engine/doctor/dump.ts';
import type { DiagnoseRequest, PositionIdsDump } from '../../../engine/doctor/requests.ts';
import type { Tensor } from '../../../engine/index.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { Engine } from '../../contract/kind.ts';

const [TOKENS, DIM] = [32, 64];
const PAIRS = DIM / 2;

type DumpMaker = (claim: EncodingSpec, engine: Engine) => Promise<DiagnoseRequest>;

/** Creates cos and sin tables [tokens, dim]. Pair t's angle is used in columns t and t + PAIRS, or 2t and 2t + 1. */
async function createAngleTables(
  claim: EncodingSpec,
  layout: 'half_split' | 'interleaved',
  engine: Engine,
): Promise<{ cos: Tensor; sin: Tensor }> {
  const positions = Array.from({ length: TOKENS }, (_, token) => token);
  const { data } = await engine.rotaryAngles({ encoding: claim, dim: DIM, positions });
  const createTable = (wave: (angle: number) => number): Tensor => ({
    shape: [TOKENS, DIM],
    data: Float32Array.from({ length: TOKENS * DIM }, (_, index) => {
      const [token, column] = [Math.floor(index / DIM), index % DIM];
      return wave(data[token * PAIRS + (layout === 'half_split' ? column % PAIRS : column >> 1)] as number);
    }),
  });
  return { cos: createTable(Math.cos), sin: createTable(Math.sin) };
}

export const TABLES = {
  wrong_table_layout: async (encoding, engine) => {
    const claim: EncodingSpec = { ...encoding, layout: 'half_split' };
    return { ...(await createAngleTables(claim, 'interleaved', engine)), claim };
  },
  cos_sin_swapped: async (encoding, engine) => {
    const claim: EncodingSpec = { ...encoding, layout: 'half_split' };
    const { cos, sin } = await createAngleTables(claim, 'half_split', engine);
    return { cos: sin, sin: cos, claim };
  },
  low_precision_angles: async (claim, engine) => {
    const { invFreq } = await engine.ropeFrequencies({ encoding: claim, dim: DIM });
    return { invFreq: { shape: [PAIRS], data: Float32Array.from(invFreq.data, toBf16) }, claim };
  },
} as const satisfies { readonly [fault: string]: DumpMaker };

const createRange = (length: number, start = 0) => Array.from({ length }, (_, index) => start + index);
/**
 * Creates one axis of faulty ids: after a 4 x 4 image, the text continues at 20, the number of tokens, instead of at 8.
 */
const createIdsByPatchCount = (axis: 0 | 1 | 2) => [
  ...createRange(4),
  ...createRange(16).map((patch) => [4, 4 + (patch >> 2), 4 + (patch % 4)][axis] as number),
  ...createRange(4, 20),
];

export const POSITION_IDS = {
  padding_counted: { positionIds: createRange(16), mask: createRange(16).map((token) => Number(token >= 5)) },
  cache_ignored: { positionIds: createRange(12), past: 24 },
  text_after_image_by_count: {
    positionIds: [createIdsByPatchCount(0), createIdsByPatchCount(1), createIdsByPatchCount(2)],
    spec: [{ text: 4 }, { image: [1, 4, 4] }, { text: 4 }],
  },
} as const satisfies { readonly [fault: string]: PositionIdsDump };
