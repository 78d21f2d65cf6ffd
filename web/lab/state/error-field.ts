// Finds the control at which to show an error. The core names arguments, but users look at the control that they have just changed.

/** A control that the user has changed. */
export interface Edit {
  readonly field: string;
}

/** The control id of an encoding parameter, which distinguishes it from an attention parameter of the same name (seed). */
export const paramField = (name: string): string => `param-${name}`;

const nameOf = ({ field }: Edit): string => field.replace(/^param-/, '');

/** Appends the newest edit; each control occurs once. */
export const withEdit = (edits: readonly Edit[], field: string): readonly Edit[] => [
  ...edits.filter((edit) => edit.field !== field),
  { field },
];

/**
 * The control at which to show an error about `names`. `edits` are the controls changed since the last figure, newest last. A single edit is
 * the cause of the error, whatever argument it names (an odd embedDim after selecting an encoding); of several edits, the cause is the one
 * whose argument the error names, preferably the first name.
 */
export function fieldOfError([first = '', ...others]: readonly string[], edits: readonly Edit[]): string {
  const newestNamed = (names: readonly string[]) => edits.findLast((edit) => names.includes(nameOf(edit)));
  const cause = newestNamed([first]) ?? newestNamed(others) ?? (edits.length === 1 ? edits[0] : undefined);
  return cause?.field ?? (first || 'encoding');
}
