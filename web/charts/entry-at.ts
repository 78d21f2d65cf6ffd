/** The entry at an index. Throws a RangeError where there is none, which as a number would be drawn as NaN. */
export function entryAt<Entry>(entries: ArrayLike<Entry>, index: number): Entry {
  const entry = entries[index];
  if (entry === undefined) throw new RangeError(`index ${index} is outside 0 to ${entries.length - 1}`);
  return entry;
}

/** Whether there is an entry at what a cursor says: it may come from another figure, which has more of them, or counts otherwise. */
export const isIndex = (index: number | undefined, count: number): index is number =>
  index !== undefined && Number.isInteger(index) && index >= 0 && index < count;

/** The last entry. Throws a RangeError where there is none. */
export const lastOf = <Entry>(entries: ArrayLike<Entry>): Entry => entryAt(entries, entries.length - 1);
