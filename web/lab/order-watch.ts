// Detects changes of the word order: pictures are animated when words have moved, and redrawn at once when only numbers changed.
import { type Order, sameOrder } from '../sentence/order.ts';
import { figure } from './store.ts';

export class OrderWatch {
  private last: Order = [];

  /** Whether the order of the figure's words has changed since the last call. */
  moved(): boolean {
    const { order } = figure.peek() ?? { order: [] };
    if (sameOrder(order, this.last)) return false;
    this.last = order;
    return true;
  }
}
