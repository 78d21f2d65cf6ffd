// Which control an error is about. The core names arguments; readers look where they have just changed something.

/** A control the reader has changed. */
export interface Touch {
  readonly field: string;
}

/** The control of an encoding's parameter, which may be called like one of attention (seed). */
export const paramField = (name: string): string => `param-${name}`;

const nameOf = ({ field }: Touch): string => field.replace(/^param-/, '');

/** The touches after one more, which is the newest; a control is among them once. */
export const touchedNow = (touches: readonly Touch[], field: string): readonly Touch[] => [
  ...touches.filter((touch) => touch.field !== field),
  { field },
];

/**
 * The control to say an error at. `touches` are the controls changed since the last figure, the newest last. An error that follows
 * from the only change belongs there, whatever it begins with ("width: 7 is odd" after an encoding is chosen); among several
 * changes, to the one it names.
 */
export function blamed(message: string, touches: readonly Touch[]): string {
  const words = message.split(/\W+/);
  const newestNamed = (names: readonly (string | undefined)[]) => touches.findLast((touch) => names.includes(nameOf(touch)));
  const caused = newestNamed([words[0]]) ?? newestNamed(words) ?? (touches.length === 1 ? touches[0] : undefined);
  return caused?.field ?? (words[0] || 'encoding');
}
