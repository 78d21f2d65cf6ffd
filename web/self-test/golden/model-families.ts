// Positional encodings of the models in Hugging Face transformers, layer by layer. Each variant of a config is parsed, and the result is
// compared with values measured in the model. A model without a suitable encoding must be rejected with the reason in its case.

import { PhasorError } from '../../engine/errors.ts';
import type { ConfigEncoding, ConfigLayer, EncodingConfig } from '../../engine/types/api.ts';
import type { AnyPhasor } from '../any-phasor.ts';
import type { Case, Methods } from './case.ts';
import { checkAddedTables, checkAlibiSlopes, checkAxialRotation, checkRotation, checkT5Buckets } from './model-positions.ts';

/** A group of layers with the same measurements. */
export interface MeasuredLayer {
  readonly indices: readonly number[];
  readonly stack?: 'encoder' | 'decoder';
  readonly attention?: false;
  readonly position: string;
  readonly position_text?: string;
  readonly heads: number;
  readonly kv_heads?: number;
  readonly head_dim: number;
  readonly rotary_dims?: { readonly count: number; readonly first: number };
  readonly layout?: string;
  readonly direction?: number;
  readonly inv_freq?: readonly number[];
  readonly attention_factor?: number;
  readonly axis_of_pair?: readonly unknown[];
  readonly values_move?: boolean;
  readonly causal?: boolean;
  readonly window?: number;
  readonly window_ahead?: number;
  readonly chunk?: number;
  readonly scale?: number | null;
  readonly scale_note?: string;
  readonly softcap?: number;
  readonly sinks?: boolean;
  readonly qk_norm?: { readonly [name: string]: unknown };
  readonly temperature?: { readonly positions: readonly number[]; readonly factors: readonly number[] };
  readonly slopes?: readonly number[];
  readonly slopes_note?: string;
  readonly grid?: readonly [number, number];
  readonly row_inv_freq?: readonly number[];
  readonly column_inv_freq?: readonly number[];
}

/** Tables that were measured in the model: the table added to embeddings, and the row of T5's table for each distance. */
export interface MeasuredTables {
  readonly added: readonly { readonly [name: string]: unknown }[];
  readonly buckets: { readonly [name: string]: unknown };
}

/** Thrown when a result differs from a measurement. */
export class DifferenceError extends Error {}

export const isNear = (a: number, b: number, relative = 1e-6, absolute = 0): boolean =>
  Math.abs(a - b) <= relative * Math.max(Math.abs(a), Math.abs(b)) + absolute;

export function expectSame(field: string, actual: unknown, measured: unknown, tolerance = 1e-6): void {
  if ((actual ?? null) === (measured ?? null)) return;
  if (typeof actual === 'number' && typeof measured === 'number' && isNear(actual, measured, tolerance)) return;
  throw new DifferenceError(`${field}: ${JSON.stringify(actual)}, measured ${JSON.stringify(measured)}`);
}

/** Length of the measured inputs in tokens. Larger windows have no effect on them. */
const MEASURED_LENGTH = 4096;

function checkScale({ scale, scale_note, head_dim }: MeasuredLayer, { encoding, scale: actual }: ConfigEncoding): void {
  if (scale === null || scale === undefined || scale_note) return;
  const termCount = encoding.id === 'deberta' ? String(encoding.terms).split('_').length : 0;
  const defaultScale = encoding.id === 't5' ? 1 : 1 / Math.sqrt(head_dim * (1 + termCount));
  expectSame('scale', actual ?? defaultScale, scale, 2e-6);
}

async function checkEncoding(phasor: AnyPhasor, layer: MeasuredLayer, result: ConfigEncoding, tables: MeasuredTables): Promise<void> {
  const { encoding } = result;
  if (layer.attention === false) throw new DifferenceError(`has no attention, but is read as ${encoding.id}`);
  switch (layer.position) {
    case 'rotary':
      await checkRotation(phasor, layer, encoding);
      expectSame('rotatesValues', result.rotatesValues ?? false, layer.values_move ?? false);
      break;
    case 'alibi':
      await checkAlibiSlopes(phasor, layer, encoding);
      break;
    case 't5':
      await checkT5Buckets(phasor, layer, encoding, tables);
      break;
    case 'learned':
    case 'sinusoidal':
      await checkAddedTables(phasor, layer, result, tables);
      break;
    default:
      expectSame('position', encoding.id, layer.position === 'none' ? 'none' : 'deberta');
  }
  checkScale(layer, result);
}

function checkNorm(actual: ConfigLayer['qkNorm'], measured: MeasuredLayer['qk_norm']): void {
  if (!actual !== !measured) throw new DifferenceError(`qkNorm: ${JSON.stringify(actual)}, measured ${JSON.stringify(measured)}`);
  if (!actual || !measured) return;
  const properties = {
    order: actual.order.replace('_encoding', ' rotation'),
    over: actual.over,
    weight_form: actual.weightForm,
    kind: actual.norm,
  };
  for (const [name, property] of Object.entries(properties))
    if (typeof measured[name] === 'string') expectSame(`${name} of qkNorm`, property, measured[name]);
  if (typeof measured.eps === 'number') expectSame('eps of qkNorm', actual.eps, measured.eps);
}

function checkLayer(layer: MeasuredLayer, actual: ConfigLayer | undefined): void {
  if (!actual) throw new DifferenceError('the layer is missing');
  expectSame('attends', actual.encoding !== undefined, layer.attention !== false);
  if (!actual.encoding) return;
  // The config may lack these sizes.
  if (actual.heads) expectSame('heads', actual.heads, layer.heads);
  if (actual.kvHeads) expectSame('kvHeads', actual.kvHeads, layer.kv_heads);
  if (actual.headDim) expectSame('headDim', actual.headDim, layer.head_dim);
  if (layer.window !== undefined || actual.window === undefined || actual.window < MEASURED_LENGTH)
    expectSame('window', actual.window, layer.window);
  expectSame('windowAhead', actual.windowAhead, layer.window_ahead);
  // The window had no effect on the measured images, so neither side of their grid is longer than the window.
  for (const side of actual.patchWindow ? (layer.grid ?? []) : [])
    expectSame('patchWindow', Math.max(side, actual.patchWindow as number), actual.patchWindow);
  expectSame('chunk', actual.chunk, layer.chunk);
  expectSame('softcap', actual.softcap, layer.softcap);
  expectSame('causal', actual.causal ?? true, layer.causal ?? false);
  expectSame('sinks', actual.sinks ?? false, layer.sinks ?? false);
  checkNorm(actual.qkNorm, layer.qk_norm);
  expectSame('has a temperature', actual.temperature !== undefined, layer.temperature !== undefined);
  const { floorScale = 1, attnScale = 0, first = 0 } = actual.temperature ?? {};
  const factorAt = (p: number): number => 1 + attnScale * Math.log(1 + Math.floor((p + first) / floorScale));
  layer.temperature?.positions.forEach((p, i) => {
    expectSame(`temperature at ${p}`, factorAt(p) / factorAt(0), layer.temperature?.factors[i], 1e-5);
  });
}

/** Returns the result of a call, or the message of its PhasorError. Rethrows all other errors. */
async function settleCall<T>(call: () => T | Promise<T>): Promise<{ readonly result?: T; readonly rejection?: string }> {
  try {
    return { result: await call() };
  } catch (thrown) {
    if (thrown instanceof PhasorError) return { rejection: thrown.message };
    throw thrown;
  }
}

const WITHOUT_ATTENTION = /no queries|neither attention/;

/** Compares the encodings of all layers. Returns the message of the first rejection, if any. Throws if an encoding differs. */
async function readEncodings(c: Case, phasor: AnyPhasor, config: object, tables: MeasuredTables): Promise<string | undefined> {
  const layers = c.rawOutput('layers') as readonly MeasuredLayer[];
  const sequenceLength = c.numberOr('sequence_length', 0);
  if (c.has('kind')) {
    const { result, rejection } = await settleCall(() => phasor.encodingFromConfig(config));
    if (result) for (const layer of layers) await checkAxialRotation(phasor, layer, result, tables);
    return rejection;
  }
  let firstRejection: string | undefined;
  for (const layer of layers)
    for (const layerIdx of layer.indices) {
      const layerSelection = layer.stack ? { stack: layer.stack } : { layerIdx };
      const { result, rejection } = await settleCall(() => phasor.encodingFromConfig(config, { sequenceLength, ...layerSelection }));
      if (result) await checkEncoding(phasor, layer, result, tables);
      else if (layer.attention !== false || !WITHOUT_ATTENTION.test(rejection ?? '')) firstRejection ??= rejection;
    }
  return firstRejection;
}

async function readLayers(c: Case, phasor: AnyPhasor, config: object): Promise<string | undefined> {
  const layers = c.rawOutput('layers') as readonly MeasuredLayer[];
  const { result, rejection } = await settleCall(() => phasor.layersFromConfig(config));
  if (!result) return rejection;
  const count = layers.reduce((sum, { indices }) => sum + indices.length, 0);
  if (!layers[0]?.stack) expectSame('number of layers', result.layers.length, count);
  for (const layer of layers)
    for (const index of layer.indices) checkLayer(layer, result.layers.filter(({ stack }) => stack === layer.stack)[index]);
  return undefined;
}

async function readLongerTexts(c: Case, phasor: AnyPhasor, config: object): Promise<void> {
  const [mainLayer] = c.rawOutput('layers') as readonly MeasuredLayer[];
  for (const longerText of (c.rawOutput('longer') ?? []) as readonly { sequence_length: number; layers: readonly MeasuredLayer[] }[])
    for (const { indices, position, inv_freq = [], attention_factor } of longerText.layers) {
      if (position !== 'rotary' || !mainLayer) continue;
      const { encoding } = await phasor.encodingFromConfig(config, {
        layerIdx: indices[0] as number,
        sequenceLength: longerText.sequence_length,
      });
      const frequencies = await phasor.ropeFrequencies({ encoding: encoding as EncodingConfig, dim: mainLayer.head_dim });
      inv_freq.forEach((frequency, i) => {
        expectSame(`frequency ${i} at ${longerText.sequence_length}`, frequencies.invFreq.data[i], frequency, 1.5e-6);
      });
      expectSame('attention factor', frequencies.attentionFactor, attention_factor);
    }
}

export const modelFamilies: Methods = {
  model_family: async (c, phasor) => {
    const tables: MeasuredTables = {
      added: (c.rawOutput('added') ?? []) as MeasuredTables['added'],
      buckets: (c.rawOutput('buckets') ?? {}) as MeasuredTables['buckets'],
    };
    c.rawOutput('image');
    const reason = c.has('rejected') ? c.text('rejected') : undefined;
    const versionsDiffer = c.has('versions_differ') && c.boolean('versions_differ');
    for (const [form, config] of Object.entries(c.param('configs') as { readonly [form: string]: object })) {
      try {
        const rejections = [await readEncodings(c, phasor, config, tables), await readLayers(c, phasor, config)];
        if (!reason) await readLongerTexts(c, phasor, config);
        for (const rejection of rejections)
          if (rejection !== undefined || reason !== undefined)
            if (!reason || !rejection?.includes(reason)) c.fail(`${form}: rejected: ${rejection}`);
      } catch (thrown) {
        // A short config omits some keys, and their defaults may differ between versions.
        if (thrown instanceof DifferenceError && !(form === 'config_short' && versionsDiffer)) c.fail(`${form}: ${thrown.message}`);
        else if (!(thrown instanceof DifferenceError)) throw thrown;
      }
    }
    if (c.has('kind')) c.text('kind');
  },
};
