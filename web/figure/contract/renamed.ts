// Names of fields and kinds in version 0.1. Errors about an old name state the new one, and the Lab accepts links with old names.

type NewNames = { readonly [oldName: string]: string };

export const RENAMED_FIELDS: NewNames = { width: 'dim', offset: 'positionOffset', measure: 'metric', shows: 'show' };
/** Renamed attributes of <phasor-figure> that are not fields. */
export const RENAMED_ATTRIBUTES: NewNames = { models: 'models-src' };
export const RENAMED_KINDS: NewNames = { plane: 'pca', long: 'attention-map', length: 'extrapolation', distances: 'remap', own: 'custom' };

/** The new name; undefined for a name that was not renamed. */
export const findNewName = (names: NewNames, name: string): string | undefined => (Object.hasOwn(names, name) ? names[name] : undefined);
