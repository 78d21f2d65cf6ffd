/** The entry at an index. Throws a RangeError where there is none, which as a number would be drawn as NaN. */
export function entryAt<Entry>(entries: ArrayLike<Entry>, index: number): Entry {
  const entry = entries[index];
  if (entry === undefined) throw new RangeError(`index ${index} is outside 0 to ${entries.length - 1}`);
  return entry;
}
