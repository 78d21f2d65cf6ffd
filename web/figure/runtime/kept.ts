// What a figure keeps from one computation to the next, because it would take long to make again: a trained model in its worker, or a run that the
// reader has watched. One thing in each slot; it ends when another takes its place, and with the figure.

interface Thing {
  readonly key: string;
  readonly value: Promise<unknown>;
  end(): void;
}

export class Kept {
  private readonly slots = new Map<string, Thing>();

  /** What was kept under this key, else what `make` makes, which is kept. What cannot be made is not kept: the next one tries again. */
  get<Value>(slot: string, key: string, make: () => Promise<Value>, end: (value: Value) => void = () => {}): Promise<Value> {
    const known = this.slots.get(slot);
    if (known?.key === key) return known.value as Promise<Value>;
    this.drop(slot);
    const value = make();
    const thing: Thing = { key, value, end: () => void value.then(end, () => {}) };
    this.slots.set(slot, thing);
    value.catch(() => {
      if (this.slots.get(slot) === thing) this.slots.delete(slot);
    });
    return value;
  }

  /** Ends what is in a slot. */
  drop(slot: string): void {
    this.slots.get(slot)?.end();
    this.slots.delete(slot);
  }

  dispose(): void {
    for (const slot of [...this.slots.keys()]) this.drop(slot);
  }
}
