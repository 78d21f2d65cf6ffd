// Motion shows identity: pictures travel when words have changed places, and change at once when only numbers have.
import { type Order, sameOrder } from '../figure/order.ts';
import { figure } from './store.ts';

export class OrderWatch {
  private last: Order = [];

  /** True when the figure's words stand in another order than when this was asked before. */
  moved(): boolean {
    const { order } = figure.peek() ?? { order: [] };
    if (sameOrder(order, this.last)) return false;
    this.last = order;
    return true;
  }
}
