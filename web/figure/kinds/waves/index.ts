import { entryAt, isIndex } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import { formatNumber, formatRange } from '../../../charts/number.ts';
import { tableStatistics } from '../../../engine/analysis.ts';
import { createPositionLabels, createTableRequest, selectColumns } from '../../compute/table-rows.ts';
import { formatPeriod, formatWavelength } from '../../compute/table-rows-strings.ts';
import { findWavelength, findWaves } from '../../compute/table-waves.ts';
import { count, encoding, FieldError, numbers, type SpecOf } from '../../contract/fields.ts';
import { defineKind, makeProof } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { strings } from './strings.ts';
import { createStripsScene } from './strips-scene.ts';

const MAX_CHANNELS = 16;
/** The default channels are the first sine channels of an interleaved table. */
const DEFAULT_CHANNELS = [0, 2, 4, 6, 8, 10];

/** Checks that the channels are distinct whole numbers. Their upper limit depends on the table and is checked later. */
function checkChannels(channels: readonly number[]): void {
  const problem = findChannelProblem(channels, Number.MAX_SAFE_INTEGER);
  if (problem) throw new FieldError(problem.replace(/^channels: /, ''));
}

function findChannelProblem(channels: readonly number[], columnCount: number): string | undefined {
  if (channels.length === 0) return strings.noChannels;
  if (channels.length > MAX_CHANNELS) return strings.tooManyChannels(MAX_CHANNELS);
  const invalidChannel = channels.find((channel) => !Number.isInteger(channel) || channel < 0 || channel >= columnCount);
  if (invalidChannel !== undefined) return strings.channelOutOfRange(invalidChannel, columnCount - 1);
  const duplicateChannel = channels.find((channel, index) => channels.indexOf(channel) !== index);
  return duplicateChannel === undefined ? undefined : strings.duplicateChannel(duplicateChannel);
}

const fields = {
  encoding: encoding('sinusoidal', 'table'),
  length: count(64, 1, 1024),
  dim: count(16, 1, 1024),
  channels: { ...numbers(DEFAULT_CHANNELS, checkChannels), control: { kind: 'text', long: false } as const },
  positionOffset: count(0, 0, 1_000_000),
};
export type Spec = SpecOf<typeof fields>;

export const kind = defineKind({
  id: 'waves',
  question: strings.question,
  instruction: strings.instruction,
  caption: strings.caption,
  labels: strings.labels,
  help: strings.help,
  mainFields: ['encoding', 'base', 'length'],
  fields,
  aspect: 0.6,
  async compute(spec, { engine }) {
    const table = await engine.positionTable(createTableRequest(spec));
    const columnCount = entryAt(table.shape, 1);
    // Default channels that the table does not have are omitted.
    const channels =
      String(spec.channels) === String(DEFAULT_CHANNELS) ? DEFAULT_CHANNELS.filter((channel) => channel < columnCount) : spec.channels;
    const problem = findChannelProblem(channels, columnCount);
    if (problem) throw new SpecError('channels', problem);
    const waves = selectColumns(table, channels);
    const sinusoids = await findWaves(spec.encoding, spec.dim, engine);
    // Wavelengths are measured in positions.
    const wavelengths = channels.map((channel) => findWavelength(sinusoids, channel));
    return { waves, channels, wavelengths, statistics: await tableStatistics(engine, { table: waves }) };
  },
  scene({ waves, channels, wavelengths }, { positionOffset }, frame) {
    const [rows = 0] = waves.shape;
    return createStripsScene({
      ...frame,
      strips: channels.map((channel, index) => ({
        name: strings.channelName(channel),
        id: channel,
        note: wavelengths[index] === undefined ? undefined : formatPeriod(wavelengths[index]),
        y: selectColumns(waves, [index]).data,
      })),
      x: Array.from({ length: rows }, (_, index) => index + positionOffset),
      xAxis: 'query',
      stripAxis: 'channel',
      title: strings.question,
      xTitle: strings.position,
      yTitle: strings.value,
    });
  },
  playback: { axis: 'query', count: (_, { length }) => length },
  readout({ waves, channels, wavelengths, statistics }, { positionOffset }, { query, channel }) {
    const [rows = 0, columns = 0] = waves.shape;
    const index = channel === undefined ? -1 : channels.indexOf(channel);
    if (isIndex(query, rows) && channel !== undefined && index >= 0) {
      const cellText = strings.cellReadout(query + positionOffset, channel, formatNumber(entryAt(waves.data, query * columns + index)));
      return wavelengths[index] === undefined ? cellText : `${cellText}, ${formatWavelength(wavelengths[index])}`;
    }
    const { min, max } = extent(waves.data);
    const [from, to] = statistics.closestPair;
    return strings.rangeReadout(
      formatRange(min, max),
      from + positionOffset,
      to + positionOffset,
      formatNumber(statistics.closestDistance),
      rows,
    );
  },
  proof: ({ statistics: { maxAbs } }) => makeProof(strings.proof, maxAbs, 1),
  tables({ waves, channels }, { positionOffset }) {
    return [
      {
        name: 'waves',
        title: strings.question,
        tensor: waves,
        rowTitle: strings.position,
        columnTitle: strings.channel,
        rows: createPositionLabels(entryAt(waves.shape, 0), positionOffset),
        columns: channels.map(String),
      },
    ];
  },
  loadPrograms: () => import('./code.ts'),
});
