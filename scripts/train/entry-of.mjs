// Reads tables.

/**
 * A value that a table must have.
 * @template Value
 * @param {Readonly<Record<string, Value>>} values
 * @param {string} name
 * @returns {Value}
 */
export function entryOf(values, name) {
  const value = values[name];
  if (value === undefined) throw new Error(`there is no ${name}; there is ${Object.keys(values).join(', ')}`);
  return value;
}
