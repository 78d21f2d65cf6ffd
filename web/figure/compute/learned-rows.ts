// Provides the rows of a learned table: random values, as before training, or BERT's trained position embeddings, which are loaded on
// demand.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';
import { choice, type SpecOf } from '../contract/fields.ts';
import type { Action, KindContext } from '../contract/kind.ts';
import { type RawFields, SpecError } from '../contract/spec.ts';
import { NUMBER_TYPES, type NumberType, readNumbers } from '../files/number-types.ts';
import type { ShippedModels } from '../runtime/shipped-models.ts';
import { createTableRequest, selectColumns, type TableSpec } from './table-rows.ts';

const STRINGS = {
  rowsLabels: { rows: 'rows' },
  rowsHelp: {
    rows: 'Rows of a learned table. drawn: random, as before training; bert: the 512 trained rows of all-MiniLM-L6-v2, a small BERT with 384 channels.',
  },
  show: 'BERT’s table',
  back: 'Random table',
  notLearned: (id: string) => `rows: 'bert' requires the encoding 'learned', but the encoding is '${id}'; expected 'drawn'`,
  noModels: "rows: this page has no trained table; expected 'drawn'",
  tooWide: (dim: number, channels: number) => `dim: ${dim} exceeds the width of the trained rows; expected at most ${channels}`,
  cut: (sentence: string, channels: number, totalChannels: number) =>
    `${sentence.replace(/\.$/, '')}. Only the first ${channels} of ${totalChannels} channels are shown.`,
} as const;

export const rowsField = { rows: choice('drawn', 'bert') };
export const { rowsLabels, rowsHelp } = STRINGS;

export type RowsSpec = TableSpec & SpecOf<typeof rowsField>;

/** The fields with which a figure shows BERT's entire position table. */
const BERT_FIELDS = { encoding: 'learned', rows: 'bert', length: 512, dim: 384, positionOffset: 0 } as const;

/** The position table of all-MiniLM-L6-v2, as row-major float16. */
const ROWS_FILE = 'minilm/minilm-positions-512x384.f16';

async function loadBertTable(models: ShippedModels): Promise<Tensor> {
  const elementCount = BERT_FIELDS.length * BERT_FIELDS.dim;
  const bytes = await models.loadFile(ROWS_FILE, 2 * elementCount);
  return {
    shape: [BERT_FIELDS.length, BERT_FIELDS.dim],
    data: readNumbers(NUMBER_TYPES.f2 as NumberType, new DataView(bytes), 0, elementCount),
  };
}

export interface LearnedRows {
  /** False on pages without the file that contains the trained rows. */
  readonly canLoad: boolean;
  /** [512, dim]; undefined if the rows are random. */
  readonly trainedRows: Tensor | undefined;
}

/**
 * Loads BERT's rows if they are selected, and adds them to the request for the table. In that case, rejects with a SpecError if the
 * encoding is not 'learned', if the page has no trained rows, or if `dim` exceeds BERT's number of channels.
 */
export async function loadLearnedRows(spec: RowsSpec, { models }: KindContext): Promise<{ rows: LearnedRows; request: TableSpec }> {
  const canLoad = models !== undefined;
  const request = createTableRequest(spec);
  if (spec.rows === 'drawn') return { rows: { canLoad, trainedRows: undefined }, request };
  const { encoding, dim } = request;
  if (encoding.id !== 'learned') throw new SpecError('rows', STRINGS.notLearned(encoding.id));
  if (!models) throw new SpecError('rows', STRINGS.noModels);
  if (dim > BERT_FIELDS.dim) throw new SpecError('dim', STRINGS.tooWide(dim, BERT_FIELDS.dim));
  const bertTable = await loadBertTable(await models());
  const trainedRows = selectColumns(
    bertTable,
    Array.from({ length: dim }, (_, column) => column),
  );
  return { rows: { canLoad, trainedRows }, request: { ...request, encoding: { ...encoding, table: trainedRows } } };
}

/** Creates a button that switches to BERT's table, or back to random rows and the previous fields. */
export function createRowsActions(
  { canLoad }: LearnedRows,
  { encoding, rows }: RowsSpec,
  previousFields: RawFields = {},
): readonly Action[] {
  if (rows === 'bert') return [{ label: STRINGS.back, fields: () => ({ ...previousFields, rows: 'drawn' }) }];
  return canLoad && encoding.id === 'learned' ? [{ label: STRINGS.show, fields: () => BERT_FIELDS }] : [];
}

/** Appends a note to the sentence if the trained rows are truncated to fewer channels. */
export function withTruncationNote(sentence: string, { trainedRows }: LearnedRows): string {
  const channels = trainedRows ? entryAt(trainedRows.shape, 1) : BERT_FIELDS.dim;
  return channels === BERT_FIELDS.dim ? sentence : STRINGS.cut(sentence, channels, BERT_FIELDS.dim);
}
