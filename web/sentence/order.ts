// Permutations of words. An order contains the original index of the word at each position.
import { entryAt } from '../charts/entry-at.ts';

export type Order = readonly number[];

export const createIdentityOrder = (length: number): Order => Array.from({ length }, (_, index) => index);

export const isIdentity = (order: Order): boolean => order.every((word, position) => word === position);

/** Whether an order is a permutation of 0 to length - 1. */
export function isOrder(order: Order, length: number): boolean {
  const seenWords = new Uint8Array(length);
  for (const word of order) {
    // `seenWords[word]` is undefined unless `word` is an integer from 0 to length - 1.
    if (seenWords[word] !== 0) return false;
    seenWords[word] = 1;
  }
  return order.length === length;
}

export const isSameOrder = (a: Order, b: Order): boolean =>
  a === b || (a.length === b.length && a.every((word, position) => word === b[position]));

/** Returns the order after a word is moved to another position. The words in between are shifted by one position. */
export function moveWord(order: Order, from: number, to: number): Order {
  const targetPosition = Math.max(0, Math.min(order.length - 1, to));
  const newOrder = order.filter((_, position) => position !== from);
  newOrder.splice(targetPosition, 0, entryAt(order, from));
  return newOrder;
}

export const isReversed = (order: Order): boolean =>
  order.length > 1 && order.every((word, position) => word === order.length - 1 - position);
