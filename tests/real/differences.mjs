// The largest differences between values and their references, by quantity.

/** @typedef {{ what: string, worst: number, most: number, count: number }} Difference */

export class Differences {
  /** @type {Map<string, Difference>} */
  #found = new Map();

  /**
   * @param {string} what @param {number} most the largest difference that is allowed
   * @param {ArrayLike<number>} got @param {readonly number[]} expected
   * @param {boolean} [isRelative] to 1 + |expected|
   */
  compare(what, most, got, expected, isRelative = false) {
    const row = this.#found.get(what) ?? { what, worst: 0, most, count: 0 };
    if (got.length !== expected.length) row.worst = Number.POSITIVE_INFINITY;
    expected.forEach((value, index) => {
      const difference = Math.abs((got[index] ?? Number.NaN) - value) / (isRelative ? 1 + Math.abs(value) : 1);
      row.worst = Math.max(row.worst, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
      row.count += 1;
    });
    this.#found.set(what, row);
  }

  rows() {
    return [...this.#found.values()];
  }
}
