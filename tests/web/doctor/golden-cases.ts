// The cases of tests/golden/doctor: inputs of a float64 reference that shares no code with the core, and the verdict on each.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { DumpTensor } from '../../../web/engine/doctor/dump.ts';
import type { DiagnoseRequest } from '../../../web/engine/doctor/requests.ts';

interface Stored {
  readonly shape: readonly number[];
  readonly base64: string;
}
type Fields = { readonly [name: string]: unknown };

export interface GoldenCase {
  readonly name: string;
  readonly kind: string;
  readonly inputs: Fields;
  readonly options?: Fields;
  readonly expected: {
    readonly verdict: string;
    readonly accept?: readonly string[];
    readonly reason?: string;
    readonly params?: Fields;
    readonly first?: { readonly [name: string]: number };
    readonly first_exact?: boolean;
    readonly also?: readonly Fields[];
  };
}

export const goldenCases = JSON.parse(
  gunzipSync(readFileSync(new URL('../../golden/doctor/cases.json.gz', import.meta.url))).toString(),
) as readonly GoldenCase[];

function tensor(value: unknown): DumpTensor {
  const { shape, base64 } = value as Stored;
  const bytes = Buffer.from(base64, 'base64');
  return { shape, data: new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)) };
}

/** Parameters of the cases that have another name in the core. */
const NAMES: { readonly [name: string]: string } = { rotary_width: 'rotary_dim' };

function encodingOf(claim: Fields | undefined): { readonly id: string; readonly [name: string]: unknown } | undefined {
  if (!claim) return undefined;
  if (claim.none) return { id: 'none' };
  const { table_layout: _, grid, ...rest } = claim;
  if (grid) return { id: 'rope_2d', convention: 'qwen2_vl', base: rest.base };
  const named = Object.fromEntries(Object.entries(rest).map(([name, value]) => [NAMES[name] ?? name, value]));
  return { id: 'sections' in named ? 'mrope' : 'rope', ...named };
}

function biasOf({ slopes, t5 }: Fields, table: unknown) {
  if (slopes) return { id: 'alibi', slopes };
  return t5 ? { id: 't5', ...(t5 as Fields), table } : undefined;
}

export function requestOf({ kind, inputs, options = {} }: GoldenCase): DiagnoseRequest {
  const claim = options.claim as Fields | undefined;
  const other = options.other ? encodingOf({ ...claim, ...(options.other as Fields) }) : undefined;
  const axes = (options.axes as string | undefined)?.replace('width', 'dim');
  const vectors = { axes, positions: options.positions, claim: encodingOf(claim), other };
  const tensors = Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, value && typeof value === 'object' && 'base64' in value ? tensor(value) : value]),
  );
  switch (kind) {
    case 'scores': {
      const { scale, causal, window, softcap, segments } = claim ?? {};
      const { bias_table: table, ...dump } = tensors;
      const encoding = biasOf(claim ?? {}, table);
      return {
        ...dump,
        dim: options.width,
        claim: { scale, causal, window, softcap, segments, encoding },
      } as unknown as DiagnoseRequest;
    }
    case 'tables': {
      const { inv_freq: invFreq, ...rest } = tensors;
      const table = { dim: options.width, claim: encodingOf(claim), positions: options.positions, tableLayout: claim?.table_layout };
      return (invFreq ? { invFreq, ...table } : { ...rest, ...table }) as unknown as DiagnoseRequest;
    }
    case 'positions':
      return { positionIds: inputs.position_ids, ...options } as unknown as DiagnoseRequest;
    case 'config':
      return { ...inputs, weightsPermuted: options.weights_permuted } as unknown as DiagnoseRequest;
    default:
      return { ...tensors, ...vectors } as unknown as DiagnoseRequest;
  }
}
