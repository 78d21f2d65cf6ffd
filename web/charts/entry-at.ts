/** The entry at an index. Throws a RangeError without one, which as a number would be drawn as NaN. */
export function entryAt<Entry>(entries: ArrayLike<Entry>, index: number): Entry {
  const entry = entries[index];
  if (entry === undefined) throw new RangeError(`index ${index} is outside 0 to ${entries.length - 1}`);
  return entry;
}

/** Whether an entry exists at the index of a cursor, which may come from another figure with more entries. */
export const isIndex = (index: number | undefined, count: number): index is number =>
  index !== undefined && Number.isInteger(index) && index >= 0 && index < count;

/** The last entry. Throws a RangeError without one. */
export const lastOf = <Entry>(entries: ArrayLike<Entry>): Entry => entryAt(entries, entries.length - 1);
