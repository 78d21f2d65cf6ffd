// Orders of words. An order holds at each place the index of the word in the sentence as it was written.

export type Order = readonly number[];

/** The order of a sentence as it was written. */
export const written = (length: number): Order => Array.from({ length }, (_, index) => index);

export const isWritten = (order: Order): boolean => order.every((word, place) => word === place);

/** True when every word from 0 to length - 1 stands at exactly one place. */
export function isOrder(order: Order, length: number): boolean {
  return (
    order.length === length && new Set(order).size === length && order.every((word) => Number.isInteger(word) && word >= 0 && word < length)
  );
}

/** True for two orders with the same words at the same places. */
export const sameOrder = (a: Order, b: Order): boolean => a === b || (a.length === b.length && a.every((word, place) => word === b[place]));

/** The order after the word at one place has moved to another, and those between made room. */
export function moved(order: Order, from: number, to: number): Order {
  const target = Math.max(0, Math.min(order.length - 1, to));
  const next = order.filter((_, place) => place !== from);
  next.splice(target, 0, order[from] as number);
  return next;
}

/** True when the words stand exactly in reverse. */
export const isReversed = (order: Order): boolean => order.length > 1 && order.every((word, place) => word === order.length - 1 - place);
