// The largest differences between values and their references, by quantity.

/** @typedef {{ what: string, worst: number, most: number, count: number }} Difference */

export class Differences {
  /** @type {Map<string, Difference>} */
  #found = new Map();

  /**
   * @param {string} quantity @param {number} tolerance the largest difference that is allowed
   * @param {ArrayLike<number>} actual @param {readonly number[]} expected
   * @param {boolean} [isRelative] to 1 + |expected|
   */
  compare(quantity, tolerance, actual, expected, isRelative = false) {
    const row = this.#found.get(quantity) ?? { what: quantity, worst: 0, most: tolerance, count: 0 };
    if (actual.length !== expected.length) row.worst = Number.POSITIVE_INFINITY;
    expected.forEach((value, index) => {
      const difference = Math.abs((actual[index] ?? Number.NaN) - value) / (isRelative ? 1 + Math.abs(value) : 1);
      row.worst = Math.max(row.worst, Number.isNaN(difference) ? Number.POSITIVE_INFINITY : difference);
      row.count += 1;
    });
    this.#found.set(quantity, row);
  }

  rows() {
    return [...this.#found.values()];
  }
}
