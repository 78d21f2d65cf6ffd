/**
 * Returns the entry of a table with this name, and throws if there is none.
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
