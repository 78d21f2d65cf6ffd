// The rows of a learned table: random, as before training, or those of BERT, which the page loads on demand.

import { entryAt } from '../../charts/entry-at.ts';
import type { Tensor } from '../../engine/index.ts';
import { choice, type SpecOf } from '../contract/fields.ts';
import type { Action, KindContext } from '../contract/kind.ts';
import { type RawFields, SpecError } from '../contract/spec.ts';
import { NUMBER_TYPES, type NumberType, readNumbers } from '../files/number-types.ts';
import type { ShippedModels } from '../runtime/shipped-models.ts';
import { columnsOf, type TableSpec, tableRequest } from './table-rows.ts';

const strings = {
  labels: { rows: 'rows' },
  help: {
    rows: 'Rows of a learned table. drawn: random, as before training; bert: the 512 trained rows of all-MiniLM-L6-v2, a small BERT with 384 channels.',
  },
  show: 'BERT’s table',
  back: 'Random table',
  notLearned: (id: string) => `rows: bert needs a learned table, but the encoding is ${id}; expected encoding learned, or rows drawn`,
  noModels: 'rows: this page has no trained table; expected drawn',
  tooWide: (dim: number, channels: number) => `dim: ${dim} exceeds the width of the bert rows; expected at most ${channels}`,
  cut: (sentence: string, channels: number, all: number) =>
    `${sentence.replace(/\.$/, '')}. Only the first ${channels} of ${all} channels are read.`,
} as const;

export const rowsField = { rows: choice('drawn', 'bert') };
export const { labels, help } = strings;

export type RowsSpec = TableSpec & SpecOf<typeof rowsField>;

/** The fields that show all rows of BERT. */
const WHOLE = { encoding: 'learned', rows: 'bert', length: 512, dim: 384, positionOffset: 0 } as const;

/** The learned positions of all-MiniLM-L6-v2: float16, row-major. */
const ROWS_FILE = 'minilm/minilm-positions-512x384.f16';

async function positionsOf(models: ShippedModels): Promise<Tensor> {
  const count = WHOLE.length * WHOLE.dim;
  const bytes = await models.otherFile(ROWS_FILE, 2 * count);
  return { shape: [WHOLE.length, WHOLE.dim], data: readNumbers(NUMBER_TYPES.f2 as NumberType, new DataView(bytes), 0, count) };
}

export interface LearnedRows {
  /** Whether the page has trained rows. */
  readonly canLoad: boolean;
  /** [512, dim]; undefined for drawn rows and for other encodings. */
  readonly trained: Tensor | undefined;
}

/**
 * Loads the selected rows, and the table that the core computes from them. Throws a SpecError for rows of BERT in another encoding, or with
 * more channels than the rows have.
 */
export async function learnedRows(spec: RowsSpec, { models }: KindContext): Promise<{ rows: LearnedRows; request: TableSpec }> {
  const canLoad = models !== undefined;
  const request = tableRequest(spec);
  if (spec.rows === 'drawn') return { rows: { canLoad, trained: undefined }, request };
  const { encoding, dim } = request;
  if (encoding.id !== 'learned') throw new SpecError('rows', strings.notLearned(encoding.id));
  if (!models) throw new SpecError('rows', strings.noModels);
  if (dim > WHOLE.dim) throw new SpecError('dim', strings.tooWide(dim, WHOLE.dim));
  const allRows = await positionsOf(await models());
  const trained = columnsOf(
    allRows,
    Array.from({ length: dim }, (_, column) => column),
  );
  return { rows: { canLoad, trained }, request: { ...request, encoding: { ...encoding, table: trained } } };
}

/** A button for learned tables, which shows the rows of BERT, or the previous table again. */
export function rowsActions({ canLoad }: LearnedRows, { encoding, rows }: RowsSpec, before: RawFields = {}): readonly Action[] {
  if (rows === 'bert') return [{ label: strings.back, fields: () => ({ ...before, rows: 'drawn' }) }];
  return canLoad && encoding.id === 'learned' ? [{ label: strings.show, fields: () => WHOLE }] : [];
}

/** A sentence, followed by a note if rows are truncated. */
export function withCut(sentence: string, { trained }: LearnedRows): string {
  const channels = trained ? entryAt(trained.shape, 1) : WHOLE.dim;
  return channels === WHOLE.dim ? sentence : strings.cut(sentence, channels, WHOLE.dim);
}
