// Names of fields and kinds in version 0.1: errors name the new one, and old links of the Lab use them.

type Names = { readonly [old: string]: string };

export const RENAMED_FIELDS: Names = { width: 'dim', offset: 'positionOffset', measure: 'metric', shows: 'show' };
/** Renamed attributes of <phasor-figure> that are not fields. */
export const RENAMED_ATTRIBUTES: Names = { models: 'models-src' };
export const RENAMED_KINDS: Names = { plane: 'pca', long: 'attention-map', length: 'extrapolation', distances: 'remap', own: 'custom' };

/** The new name; undefined for a name that was not renamed. */
export const renamed = (names: Names, name: string): string | undefined => (Object.hasOwn(names, name) ? names[name] : undefined);
