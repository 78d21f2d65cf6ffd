// Recorded results, and the names of outputs in them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../../scripts/root.mjs';

/** A file of tests/golden-real. @param {string} name @returns {any} */
export const reference = (name) => JSON.parse(gunzipSync(readFileSync(join(root, `tests/golden-real/${name}.json.gz`))).toString());

/** @param {string} name in snake case, such as "share_of_distance" */
export const toCamelCase = (name) => name.replaceAll(/_(\w)/g, (_, /** @type {string} */ letter) => letter.toUpperCase());

/**
 * Compares measures of heads with recorded ones, which are lists ([layer][head]) or single values.
 * @param {import('./differences.mjs').Differences} differences
 * @param {number} tolerance
 * @param {any} actual headMeasures
 * @param {Record<string, any>} recorded
 */
export function compareMeasures(differences, tolerance, actual, recorded) {
  for (const [name, values] of Object.entries(recorded)) {
    const measure = actual?.[toCamelCase(name)];
    differences.compare('measures of heads', tolerance, measure?.data ?? [measure], [values].flat(2), true);
  }
}
