// Compares encodings that are read from a config with values measured in the model.

import type { ConfigEncoding, EncodingConfig, Tensor } from '../../engine/types/api.ts';
import type { AnyPhasor } from '../any-phasor.ts';
import { DifferenceError, expectSame, isNear, type MeasuredLayer, type MeasuredTables } from './model-families.ts';

async function rotateUnitVector(
  phasor: AnyPhasor,
  encoding: EncodingConfig,
  dim: number,
  channel: number,
  positions: Tensor | readonly number[],
): Promise<readonly number[]> {
  const data = new Float32Array(dim);
  data[channel] = 1;
  return [...(await phasor.applyRotary({ shape: [1, 1, dim], data }, { encoding, positions })).data];
}

const toRowTensor = (row: readonly number[]): Tensor => ({ shape: [1, row.length], data: Float32Array.from(row) });

export async function checkRotation(phasor: AnyPhasor, layer: MeasuredLayer, encoding: EncodingConfig): Promise<void> {
  if (!['rope', 'mrope'].includes(encoding.id))
    throw new DifferenceError(`position: ${encoding.id}; expected a rotary encoding, as measured`);
  const { count, first } = layer.rotary_dims as { count: number; first: number };
  // If only the last channels of a head are rotated, the encoding describes only these channels.
  const dim = first > 0 ? count : layer.head_dim;
  const { invFreq, attentionFactor } = await phasor.ropeFrequencies({ encoding, dim });
  const measuredFrequencies = layer.inv_freq ?? [];
  expectSame('number of frequencies', invFreq.data.length, measuredFrequencies.length);
  measuredFrequencies.forEach((frequency, i) => {
    if (!isNear(invFreq.data[i] as number, frequency, 1.5e-6, 1e-12)) expectSame(`frequency ${i}`, invFreq.data[i], frequency, 0);
  });
  if (layer.attention_factor !== undefined) expectSame('attention factor', attentionFactor, layer.attention_factor);
  const isAxial = encoding.id === 'mrope';
  const row = await rotateUnitVector(phasor, encoding, dim, 0, isAxial ? toRowTensor([1, 1, 1]) : [1]);
  const partnerChannel = row.findIndex((x, i) => i > 0 && Math.abs(x) > 1e-4);
  if (count > 2 && layer.layout !== 'other') expectSame('partner of channel 0', partnerChannel, layer.layout === 'half' ? count / 2 : 1);
  expectSame('direction', Math.sign(row[partnerChannel] ?? 0), layer.direction);
  const axes = layer.axis_of_pair ?? [];
  if (axes.every((axis) => axis === axes[0])) return;
  if (!isAxial) throw new DifferenceError(`axes: ${encoding.id} has one axis; expected the three measured axes`);
  for (const [pair, axis] of axes.entries())
    for (const testedAxis of [0, 1, 2]) {
      const channel = layer.layout === 'half' ? pair : 2 * pair;
      const rotatedVector = await rotateUnitVector(
        phasor,
        encoding,
        dim,
        channel,
        toRowTensor([0, 1, 2].map((a) => (a === testedAxis ? 500 : 0))),
      );
      if (typeof axis === 'number' && Math.abs((rotatedVector[channel] as number) - 1) > 1e-5)
        expectSame(`axis of pair ${pair}`, testedAxis, axis);
    }
}

export async function checkAlibiSlopes(phasor: AnyPhasor, layer: MeasuredLayer, encoding: EncodingConfig): Promise<void> {
  expectSame('position', encoding.id, 'alibi');
  const n = 256;
  const { data } = await phasor.attentionBias({ encoding, heads: layer.heads, queries: n, keys: n });
  layer.slopes?.forEach((slope, h) => {
    const rowOffset = h * n * n + (n - 1) * n;
    const slopeOfHead = ((data[rowOffset + n - 1] as number) - (data[rowOffset] as number)) / (n - 1);
    if (!isNear(slopeOfHead, slope, layer.slopes_note ? 6e-3 : 1e-4, 1e-7)) expectSame(`slope of head ${h}`, slopeOfHead, slope, 0);
  });
}

export async function checkT5Buckets(
  phasor: AnyPhasor,
  layer: MeasuredLayer,
  encoding: EncodingConfig,
  { buckets }: MeasuredTables,
): Promise<void> {
  expectSame('position', encoding.id, 't5');
  expectSame('num_buckets', encoding.num_buckets, buckets.table_rows);
  const measuredRows = (buckets[layer.stack ?? 'encoder'] ?? buckets.encoder ?? buckets.decoder) as {
    readonly distances_key_minus_query: readonly number[];
    readonly rows: readonly number[];
  };
  // Each row of the table contains its index, so the bias is the index of the row that was used.
  const rows = Number(encoding.num_buckets);
  const table = { shape: [rows, 1], data: Float32Array.from({ length: rows }, (_, i) => i) };
  const n = 301;
  const { data } = await phasor.attentionBias({ encoding: { ...encoding, table }, heads: 1, queries: n, keys: n });
  const tableRowAt = (distance: number): number =>
    data[(distance < 0 ? n - 1 : 0) * n + (distance < 0 ? n - 1 + distance : distance)] as number;
  measuredRows.distances_key_minus_query.forEach((distance, i) => {
    // Rounding of a float32 logarithm may move the boundary between two rows by one token.
    const isRecordedRow = (at: number): boolean => Math.abs(at) < n && tableRowAt(at) === measuredRows.rows[i];
    if (!isRecordedRow(distance) && !isRecordedRow(distance - 1) && !isRecordedRow(distance + 1))
      expectSame(`bucket of ${distance}`, tableRowAt(distance), measuredRows.rows[i]);
  });
}

const findTable = ({ added }: MeasuredTables, kind: string, stack = '') =>
  added.find((table) => table.kind === kind && String(table.table).startsWith(stack)) ?? added.find((table) => table.kind === kind);

export async function checkAddedTables(
  phasor: AnyPhasor,
  layer: MeasuredLayer,
  { encoding, positionOffset = 0 }: ConfigEncoding,
  tables: MeasuredTables,
): Promise<void> {
  expectSame('position', encoding.id, layer.position);
  const measured = findTable(tables, layer.position, layer.stack);
  if (!measured) return;
  if (layer.position === 'learned') {
    expectSame('first row', Number(encoding.row_offset ?? 0) + positionOffset, measured.offset);
    expectSame('rows', encoding.max_length, measured.rows);
    return;
  }
  const { channels, frequencies, first_position, amplitude, arrangement, order } = measured as {
    readonly channels: number;
    readonly frequencies?: readonly number[];
    readonly first_position: number;
    readonly amplitude: number;
    readonly arrangement: string;
    readonly order: string;
  };
  const length = 3;
  const { data } = await phasor.positionTable({ encoding, length, positionOffset, dim: channels });
  for (let p = 0; p < length; p++)
    frequencies?.forEach((frequency, i) => {
      const waveValues = [Math.sin, Math.cos].map((wave) => amplitude * wave((first_position + p) * frequency));
      const [a, b] = (order === 'sin first' ? waveValues : waveValues.reverse()) as [number, number];
      const [x, y] = arrangement === 'halves' ? [i, i + channels / 2] : [2 * i, 2 * i + 1];
      if (!isNear(data[p * channels + x] as number, a, 1e-4, 1e-4) || !isNear(data[p * channels + y] as number, b, 1e-4, 1e-4))
        throw new DifferenceError(`row ${p}, frequency ${i} differs`);
    });
}

/** Compares the positions of an image encoder with those measured in a layer. */
export async function checkAxialRotation(
  phasor: AnyPhasor,
  layer: MeasuredLayer,
  { encoding, added }: ConfigEncoding,
  tables: MeasuredTables,
): Promise<void> {
  expectSame('position', encoding.id, layer.position === 'rotary_2d' ? 'rope_2d' : layer.position);
  const table = encoding.id === 'learned' ? encoding : added;
  if (table && tables.added[0]) expectSame('rows', table.max_length, tables.added[0].rows);
  if (encoding.id !== 'rope_2d') return;
  const [rows, columns] = layer.grid as readonly [number, number];
  const imageEncoding = { ...encoding, columns, ...(encoding.rows === undefined ? {} : { rows }) };
  const { data } = await phasor.rotaryAngles({
    encoding: imageEncoding,
    positions: { shape: [3, 2], data: [0, 0, 1, 0, 0, 1] },
    dim: layer.head_dim,
  });
  const pairs = layer.row_inv_freq?.length ?? 0;
  for (let t = 0; t < pairs; t++)
    [layer.row_inv_freq, layer.column_inv_freq].forEach((measured, axis) => {
      const computed = (data[(axis + 1) * pairs + t] as number) - (data[t] as number);
      // The tolerance allows for float32 rounding of angles above 2π.
      if (!isNear(computed, measured?.[t] as number, 1e-3, 2e-5)) expectSame(`pair ${t}, axis ${axis}`, computed, measured?.[t], 0);
    });
}
