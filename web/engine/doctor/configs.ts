// Compares a config.json with the metadata of the same model's GGUF file.

import type { EncodingConfig, Phasor } from '../types/api.ts';
import { readLayers } from './claims.ts';
import { createDiagnosis, type Diagnosis, type ReportParams, withoutExplanation } from './report.ts';
import type { GgufDump } from './requests.ts';
import { baseOf, numberParam, scalingOf } from './state.ts';

/** Architectures for which llama.cpp permutes the rows of q and k, so that it rotates adjacent channels. */
const PERMUTED_ARCHITECTURES = new Set([
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
/** ggml's default base. */
const DEFAULT_BASE = 10000;

/** ggml's default base for sliding-window layers. For other architectures, the default is the base of the other layers. */
const WINDOW_BASES: { readonly [architecture: string]: number } = { gemma3: 10000, gemma3n: 10000 };

/** A rotary encoding in the config, and the GGUF key of its base. */
interface LayerClaim {
  readonly encoding: EncodingConfig;
  readonly key: 'rope.freq_base' | 'rope.freq_base_swa';
}

const isRotary = (encoding: EncodingConfig | undefined) => encoding?.id === 'rope' || encoding?.id === 'mrope';

function resolveClaims(phasor: Phasor, { config, layerIdx }: Pick<GgufDump, 'config' | 'layerIdx'>): LayerClaim[] {
  const rotaryLayers = readLayers(phasor, config).filter(({ encoding }) => isRotary(encoding));
  const [globalLayer] = rotaryLayers.filter(({ window }) => window === undefined);
  const localLayer = rotaryLayers.find(
    ({ window, encoding }) =>
      window !== undefined && baseOf(encoding as EncodingConfig) !== baseOf(globalLayer?.encoding ?? (encoding as EncodingConfig)),
  );
  const isLocal = (encoding: EncodingConfig) =>
    localLayer !== undefined && JSON.stringify(encoding) === JSON.stringify(localLayer.encoding);
  if (!localLayer || layerIdx !== undefined) {
    const { encoding } = phasor.encodingFromConfig(config, layerIdx === undefined ? {} : { layerIdx });
    return isRotary(encoding) ? [{ encoding, key: isLocal(encoding) ? 'rope.freq_base_swa' : 'rope.freq_base' }] : [];
  }
  return [
    { encoding: globalLayer?.encoding as EncodingConfig, key: 'rope.freq_base' },
    { encoding: localLayer.encoding as EncodingConfig, key: 'rope.freq_base_swa' },
  ];
}

export function diagnoseConfigs(phasor: Phasor, { config, layerIdx, gguf, weightsPermuted }: GgufDump): Diagnosis {
  const architecture = gguf['general.architecture'];
  if (typeof architecture !== 'string') return withoutExplanation('cannot_tell', 'needs_config');
  const differingSize = findDifferingSize(config, (key) => gguf[`${architecture}.${key}`]);
  if (differingSize) return withoutExplanation('cannot_tell', 'other_model', { params: differingSize });
  const claims = resolveClaims(phasor, { config, layerIdx });
  const [firstClaim] = claims;
  if (!firstClaim) return withoutExplanation('cannot_tell', 'needs_config');
  const getValue = (key: string) => gguf[`${architecture}.${key}`];
  const faults: Diagnosis[] = [];
  const addFault: AddFault = (id, key, foundValue, claimed, extraParams = {}) =>
    faults.push(createDiagnosis(id, { key, found: foundValue, claimed, ...extraParams }));
  for (const { encoding, key } of claims) {
    const bases = [
      getValue(key),
      ...(key === 'rope.freq_base' ? [] : [WINDOW_BASES[architecture], getValue('rope.freq_base')]),
      DEFAULT_BASE,
    ];
    const base = bases.find((candidate) => typeof candidate === 'number') as number;
    if (!isClose(base, baseOf(encoding))) addFault('wrong_base', key, base, baseOf(encoding));
  }
  const { encoding } = firstClaim;
  const ggufRotaryDim = getValue('rope.dimension_count');
  const claimedRotaryDim = rotaryDimOf(phasor, encoding, config);
  if (typeof ggufRotaryDim === 'number' && claimedRotaryDim !== undefined && ggufRotaryDim !== claimedRotaryDim)
    addFault('wrong_rotary_width', 'rope.dimension_count', ggufRotaryDim, claimedRotaryDim);
  if (firstClaim.key === 'rope.freq_base') compareScaling(encoding, gguf, getValue, addFault);
  if (weightsPermuted !== undefined && weightsPermuted !== PERMUTED_ARCHITECTURES.has(architecture))
    addFault(
      'channels_permuted',
      'attn_q.weight',
      weightsPermuted ? 'permuted' : 'not permuted',
      PERMUTED_ARCHITECTURES.has(architecture) ? 'permuted' : 'not permuted',
      { to: weightsPermuted ? 'interleaved' : 'half_split' },
    );
  const [firstFault, ...otherFaults] = faults;
  return firstFault
    ? { ...firstFault, also: otherFaults.map(({ verdict, params }) => ({ id: verdict, params })) }
    : createDiagnosis('as_claimed', {}, { encoding });
}

type AddFault = (id: string, key: string, foundValue: number | string, claimed: number | string, extraParams?: ReportParams) => void;

/** The model dimensions to compare, each as [GGUF key, config field]. */
const SIZE_KEYS = [
  ['block_count', 'num_hidden_layers'],
  ['embedding_length', 'hidden_size'],
  ['attention.head_count', 'num_attention_heads'],
] as const;

const textConfigOf = (config: object) =>
  ((config as { text_config?: object }).text_config ?? config) as { readonly [key: string]: unknown };

function findDifferingSize(config: object, getValue: (key: string) => unknown): ReportParams | undefined {
  const textConfig = textConfigOf(config);
  for (const [key, configKey] of SIZE_KEYS) {
    const [found, claimed] = [getValue(key), textConfig[configKey]];
    if (typeof found === 'number' && typeof claimed === 'number' && found !== claimed) return { key, found, claimed };
  }
  return undefined;
}

const isClose = (a: number, b: number) => Math.abs(a / b - 1) < 1e-4;

function compareScaling(encoding: EncodingConfig, gguf: GgufDump['gguf'], getValue: (key: string) => unknown, addFault: AddFault) {
  const scaling = scalingOf(encoding);
  const tensors = Array.isArray(gguf.tensors) ? (gguf.tensors as unknown[]) : undefined;
  const type = getValue('rope.scaling.type');
  const scalingParams = { scaling, factor: numberParam(encoding, 'factor', 4) };
  // GGUF files store the scaling of Llama 3 and LongRoPE as tensors.
  if (scaling === 'llama3') {
    if (tensors && !tensors.includes('rope_freqs.weight'))
      addFault('scaling_missing', 'rope_freqs.weight', 'absent', 'llama3', scalingParams);
    return;
  }
  if (scaling === 'longrope') {
    if (tensors && !tensors.some((name) => /^rope_factors_(long|short)\.weight$/.test(String(name))))
      addFault('scaling_missing', 'rope_factors_long.weight', 'absent', 'longrope', scalingParams);
    return;
  }
  const hasScalingType = typeof type === 'string' && type !== 'none';
  if (scaling === 'linear' || scaling === 'yarn') {
    if (!hasScalingType) return addFault('scaling_missing', 'rope.scaling.type', 'none', scaling, scalingParams);
    if (type !== scaling) return addFault('wrong_scaling', 'rope.scaling.type', type, scaling);
    const [factor, length] = [getValue('rope.scaling.factor'), getValue('rope.scaling.original_context_length')];
    const claimed = numberParam(encoding, 'factor', 4);
    if (typeof factor === 'number' && !isClose(factor, claimed)) addFault('wrong_scaling_factor', 'rope.scaling.factor', factor, claimed);
    const originalLength = numberParam(encoding, 'original_length', 2048);
    if (scaling === 'yarn' && typeof length === 'number' && length !== originalLength)
      addFault('wrong_original_length', 'rope.scaling.original_context_length', length, originalLength);
    return;
  }
  if (scaling === 'none' && hasScalingType)
    addFault('scaling_unclaimed', 'rope.scaling.type', type, 'none', { factor: Number(getValue('rope.scaling.factor') ?? 1) });
}

/** Returns the number of rotated channels, or undefined if the config does not determine the head dimension. */
function rotaryDimOf(phasor: Phasor, encoding: EncodingConfig, config: object): number | undefined {
  if (numberParam(encoding, 'rotary_dim', 0) > 0) return numberParam(encoding, 'rotary_dim', 0);
  const textConfig = textConfigOf(config);
  const { head_dim: headDim, hidden_size: hiddenSize, num_attention_heads: heads } = textConfig;
  const dim =
    typeof headDim === 'number' ? headDim : typeof hiddenSize === 'number' && typeof heads === 'number' ? hiddenSize / heads : undefined;
  if (dim === undefined || !Number.isInteger(dim)) return undefined;
  return 2 * phasor.rotaryAngles({ encoding, dim, positions: { shape: [1], data: [1] } }).data.length;
}
