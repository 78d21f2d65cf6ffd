// Fields and kinds that were renamed after version 0.1. An error about an old name states the new name, and the Lab still accepts links
// with old names.

type NewNames = { readonly [oldName: string]: string };

export const RENAMED_FIELDS: NewNames = { width: 'dim', offset: 'positionOffset', measure: 'metric', shows: 'show' };
/** Attributes of <phasor-figure> that were renamed but are not fields. */
export const RENAMED_ATTRIBUTES: NewNames = { models: 'models-src' };
export const RENAMED_KINDS: NewNames = { plane: 'pca', long: 'attention-map', length: 'extrapolation', distances: 'remap', own: 'custom' };

/** Returns the new name, or undefined if the name was not changed. */
export const findNewName = (names: NewNames, name: string): string | undefined => (Object.hasOwn(names, name) ? names[name] : undefined);
