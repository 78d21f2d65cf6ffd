/** A row-major matrix: cell (row, column) is data[row * columns + column]. NaN and infinite cells are masked. */
export interface Grid {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

export interface Extent {
  /** Minimum of the finite values; NaN if there is none. */
  readonly min: number;
  readonly max: number;
  /** The first index of the minimum; -1 if there is none. */
  readonly argmin: number;
  readonly argmax: number;
  readonly maskedCount: number;
}

/** Minimum and maximum of the finite values, their indices, and the number of non-finite values. */
export function extent(values: ArrayLike<number>): Extent {
  // Only two array types reach the loop: engines optimise a loop for at most four types, and more make it five times slower.
  const data = values instanceof Float32Array ? values : new Float64Array(values);
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let maskedCount = 0;
  // No function calls in this loop, because one would double its time. The matrix of a long sentence has a million values.
  for (let i = 0; i < data.length; i++) {
    const value = data[i] as number;
    if (value - value !== 0) maskedCount++;
    else {
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  if (maskedCount === data.length) return { min: Number.NaN, max: Number.NaN, argmin: -1, argmax: -1, maskedCount };
  return { min, max, argmin: indexOf(data, min), argmax: indexOf(data, max), maskedCount };
}

function indexOf(data: ArrayLike<number>, value: number): number {
  let index = 0;
  while (data[index] !== value) index++;
  return index;
}

/** Returns the largest absolute difference between two arrays; not finite if any entry is not. Throws a RangeError if their lengths differ. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length)
    throw new RangeError(`arrays of lengths ${a.length} and ${b.length} cannot be compared; expected equal lengths`);
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs((a[i] as number) - (b[i] as number));
    if (Number.isNaN(difference)) return Number.NaN;
    if (difference > largest) largest = difference;
  }
  return largest;
}

/** Throws a RangeError unless the size is valid and `data` has exactly rows * columns values. */
export function checkGrid(grid: Grid): void {
  if (!Number.isInteger(grid.rows) || !Number.isInteger(grid.columns) || grid.rows < 0 || grid.columns < 0) {
    throw new RangeError(`grid: ${grid.rows} by ${grid.columns} is not a valid size; expected non-negative integers`);
  }
  if (grid.data.length !== grid.rows * grid.columns) {
    throw new RangeError(`grid: ${grid.rows} by ${grid.columns} cells, but ${grid.data.length} values; expected one value per cell`);
  }
}
