// Displays a figure's results as tables, for users who cannot see the picture or who need exact values.
import { html, type TemplateResult } from 'lit';
import { wholeNumber } from '../../charts/english.ts';
import { entryAt } from '../../charts/entry-at.ts';
import { formatNumber } from '../../charts/number.ts';
import type { DataTable } from '../contract/kind.ts';
import { getColumnName, getRowName, getTableSize } from '../export/csv.ts';

const STRINGS = {
  scrolled: 'Scrollable table',
  cutTable: (rows: number, allRows: number, columns: number, allColumns: number) =>
    `The first ${wholeNumber.format(rows)} of ${wholeNumber.format(allRows)} rows and ${wholeNumber.format(columns)} of ${wholeNumber.format(allColumns)} columns; exported files contain the whole table.`,
} as const;

/** Longer tables would make the page slow to scroll. Exported files contain all rows. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 64;

function renderTable(table: DataTable): TemplateResult {
  const { rows, columns } = getTableSize(table);
  const shownRows = Math.min(rows, MAX_ROWS);
  const shownColumns = Math.min(columns, MAX_COLUMNS);
  const columnIndices = Array.from({ length: shownColumns }, (_, column) => column);
  const rowIndices = Array.from({ length: shownRows }, (_, row) => row);
  const note = shownRows < rows || shownColumns < columns ? STRINGS.cutTable(shownRows, rows, shownColumns, columns) : '';
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${STRINGS.scrolled}>
    <table>
      <caption>${table.title}: ${table.rowTitle} × ${table.columnTitle}. ${note}</caption>
      <thead><tr><th scope="col">${table.rowTitle}</th>${columnIndices.map((column) => html`<th scope="col">${getColumnName(table, column)}</th>`)}</tr></thead>
      <tbody>${rowIndices.map(
        (row) =>
          html`<tr><th scope="row">${getRowName(table, row)}</th>${columnIndices.map(
            (column) => html`<td>${formatNumber(entryAt(table.tensor.data, row * columns + column))}</td>`,
          )}</tr>`,
      )}</tbody>
    </table>
  </div>`;
}

export const renderTables = (tables: readonly DataTable[]): TemplateResult => html`${tables.map(renderTable)}`;
