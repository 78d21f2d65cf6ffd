// Compares a config.json with the metadata of a GGUF file of the same model.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { layersOf } from './claims.ts';
import { type Diagnosis, finding, type ReportParams, withoutExplanation } from './report.ts';
import type { GgufDump } from './requests.ts';
import { baseOf, numberOf, scalingOf } from './state.ts';

/** Architectures whose q and k rows llama.cpp permutes, so that it rotates adjacent channels. */
const PERMUTED = new Set([
  'llama',
  'mistral3',
  'granite',
  'minicpm',
  'arcee',
  'smollm3',
  'apertus',
  'deci',
  'baichuan',
  'orion',
  'xverse',
  'internlm2',
]);
/** The default base of ggml if the key is missing. */
const DEFAULT_BASE = 10000;

/**
 * The default base of ggml for layers with a window, if the key is missing and the architecture does not use the base of the other layers.
 */
const WINDOW_BASES: { readonly [architecture: string]: number } = { gemma3: 10000, gemma3n: 10000 };

/** The rotation of all layers, or of the layers with a window if these have another base, and the key of the base in the GGUF file. */
interface Claim {
  readonly encoding: EncodingConfig;
  readonly key: 'rope.freq_base' | 'rope.freq_base_swa';
}

const isRotary = (encoding: EncodingConfig | undefined) => encoding?.id === 'rope' || encoding?.id === 'mrope';

function claimsIn(phasor: Phasor, { config, layerIdx }: Pick<GgufDump, 'config' | 'layerIdx'>): Claim[] {
  const rotary = layersOf(phasor, config).filter(({ encoding }) => isRotary(encoding));
  const [global] = rotary.filter(({ window }) => window === undefined);
  const local = rotary.find(
    ({ window, encoding }) =>
      window !== undefined && baseOf(encoding as EncodingConfig) !== baseOf(global?.encoding ?? (encoding as EncodingConfig)),
  );
  const isLocal = (encoding: EncodingConfig) => local !== undefined && JSON.stringify(encoding) === JSON.stringify(local.encoding);
  if (!local || layerIdx !== undefined) {
    const { encoding } = phasor.encodingFromConfig(config, layerIdx === undefined ? {} : { layerIdx });
    return isRotary(encoding) ? [{ encoding, key: isLocal(encoding) ? 'rope.freq_base_swa' : 'rope.freq_base' }] : [];
  }
  return [
    { encoding: global?.encoding as EncodingConfig, key: 'rope.freq_base' },
    { encoding: local.encoding as EncodingConfig, key: 'rope.freq_base_swa' },
  ];
}

export function diagnoseConfigs(phasor: Phasor, { config, layerIdx, gguf, weightsPermuted }: GgufDump): Diagnosis {
  const architecture = gguf['general.architecture'];
  if (typeof architecture !== 'string') return withoutExplanation('cannot_tell', 'needs_config');
  const other = differentSize(config, (key) => gguf[`${architecture}.${key}`]);
  if (other) return withoutExplanation('cannot_tell', 'other_model', { params: other });
  const claims = claimsIn(phasor, { config, layerIdx });
  const [first] = claims;
  if (!first) return withoutExplanation('cannot_tell', 'needs_config');
  const readKey = (key: string) => gguf[`${architecture}.${key}`];
  const faults: Diagnosis[] = [];
  const found: Found = (id, key, one, claimed, more = {}) => faults.push(finding(id, { key, found: one, claimed, ...more }));
  for (const { encoding, key } of claims) {
    const bases = [
      readKey(key),
      ...(key === 'rope.freq_base' ? [] : [WINDOW_BASES[architecture], readKey('rope.freq_base')]),
      DEFAULT_BASE,
    ];
    const base = bases.find((one) => typeof one === 'number') as number;
    if (!isNear(base, baseOf(encoding))) found('wrong_base', key, base, baseOf(encoding));
  }
  const { encoding } = first;
  const width = readKey('rope.dimension_count');
  const claimedWidth = rotaryDimOf(phasor, encoding, config);
  if (typeof width === 'number' && claimedWidth !== undefined && width !== claimedWidth)
    found('wrong_rotary_width', 'rope.dimension_count', width, claimedWidth);
  if (first.key === 'rope.freq_base') compareScaling(encoding, gguf, readKey, found);
  if (weightsPermuted !== undefined && weightsPermuted !== PERMUTED.has(architecture))
    found(
      'channels_permuted',
      'attn_q.weight',
      weightsPermuted ? 'permuted' : 'not permuted',
      PERMUTED.has(architecture) ? 'permuted' : 'not permuted',
      { to: weightsPermuted ? 'interleaved' : 'half_split' },
    );
  const [main, ...also] = faults;
  return main ? { ...main, also: also.map(({ verdict, params }) => ({ id: verdict, params })) } : finding('as_claimed', {}, { encoding });
}

type Found = (id: string, key: string, one: number | string, claimed: number | string, more?: ReportParams) => void;

/** The names of model sizes in a GGUF file and in a config. */
const SIZES = [
  ['block_count', 'num_hidden_layers'],
  ['embedding_length', 'hidden_size'],
  ['attention.head_count', 'num_attention_heads'],
] as const;

const textOf = (config: object) => ((config as { text_config?: object }).text_config ?? config) as { readonly [key: string]: unknown };

/** The first size that differs between the two files. */
function differentSize(config: object, readKey: (key: string) => unknown): ReportParams | undefined {
  const text = textOf(config);
  for (const [key, name] of SIZES) {
    const [found, claimed] = [readKey(key), text[name]];
    if (typeof found === 'number' && typeof claimed === 'number' && found !== claimed) return { key, found, claimed };
  }
  return undefined;
}

const isNear = (one: number, two: number) => Math.abs(one / two - 1) < 1e-4;

function compareScaling(encoding: EncodingConfig, gguf: GgufDump['gguf'], readKey: (key: string) => unknown, found: Found) {
  const scaling = scalingOf(encoding);
  const tensors = Array.isArray(gguf.tensors) ? (gguf.tensors as unknown[]) : undefined;
  const type = readKey('rope.scaling.type');
  const own = { scaling, factor: numberOf(encoding, 'factor', 4) };
  // Llama 3's frequencies and LongRoPE's lists are tensors of the GGUF file.
  if (scaling === 'llama3') {
    if (tensors && !tensors.includes('rope_freqs.weight')) found('scaling_missing', 'rope_freqs.weight', 'absent', 'llama3', own);
    return;
  }
  if (scaling === 'longrope') {
    if (tensors && !tensors.some((name) => /^rope_factors_(long|short)\.weight$/.test(String(name))))
      found('scaling_missing', 'rope_factors_long.weight', 'absent', 'longrope', own);
    return;
  }
  const isNamed = typeof type === 'string' && type !== 'none';
  if (scaling === 'linear' || scaling === 'yarn') {
    if (!isNamed) return found('scaling_missing', 'rope.scaling.type', 'none', scaling, own);
    if (type !== scaling) return found('wrong_scaling', 'rope.scaling.type', type, scaling);
    const [factor, length] = [readKey('rope.scaling.factor'), readKey('rope.scaling.original_context_length')];
    const claimed = numberOf(encoding, 'factor', 4);
    if (typeof factor === 'number' && !isNear(factor, claimed)) found('wrong_scaling_factor', 'rope.scaling.factor', factor, claimed);
    const original = numberOf(encoding, 'original_length', 2048);
    if (scaling === 'yarn' && typeof length === 'number' && length !== original)
      found('wrong_original_length', 'rope.scaling.original_context_length', length, original);
    return;
  }
  if (scaling === 'none' && isNamed)
    found('scaling_unclaimed', 'rope.scaling.type', type, 'none', { factor: Number(readKey('rope.scaling.factor') ?? 1) });
}

/** Undefined if the config does not state the size of a head. */
function rotaryDimOf(phasor: Phasor, encoding: EncodingConfig, config: object): number | undefined {
  if (numberOf(encoding, 'rotary_dim', 0) > 0) return numberOf(encoding, 'rotary_dim', 0);
  const text = textOf(config);
  const { head_dim: stated, hidden_size: hidden, num_attention_heads: heads } = text;
  const dim = typeof stated === 'number' ? stated : typeof hidden === 'number' && typeof heads === 'number' ? hidden / heads : undefined;
  if (dim === undefined || !Number.isInteger(dim)) return undefined;
  return 2 * phasor.rotaryAngles({ encoding, dim, positions: { shape: [1], data: [1] } }).data.length;
}
