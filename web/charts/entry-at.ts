/** Returns the entry at an index. Throws a RangeError outside the array, because an undefined coordinate would silently hide a mark. */
export function entryAt<Entry>(entries: ArrayLike<Entry>, index: number): Entry {
  const entry = entries[index];
  if (entry === undefined) throw new RangeError(`index ${index} is outside 0 to ${entries.length - 1}`);
  return entry;
}

/** Whether a cursor index is a whole number from 0 to count - 1. A linked figure with more entries may set a larger index. */
export const isIndex = (index: number | undefined, count: number): index is number =>
  index !== undefined && Number.isInteger(index) && index >= 0 && index < count;

/** The last entry. Throws a RangeError for an empty array. */
export const lastEntry = <Entry>(entries: ArrayLike<Entry>): Entry => entryAt(entries, entries.length - 1);
