// Modules that exist only while the project builds (scripts/site).

/// <reference types="vite/client" />

declare module 'virtual:encoding-titles' {
  /** By id. */
  const titles: { readonly [id: string]: string };
  export default titles;
}

declare module 'virtual:shipped-encodings' {
  /** Ids of encodings of which a model of characters ships. */
  const ids: readonly string[];
  export default ids;
  /** The same of models that continue any symbols that return. */
  export const induction: readonly string[];
  /** Those of them whose model has learned to. */
  export const copying: readonly string[];
}

declare module 'virtual:starter-vectors' {
  const starter: {
    readonly width: number;
    /** Mean length of all word vectors, not only of these. */
    readonly meanNorm: number;
    readonly words: readonly string[];
    /** One factor per word for its row. */
    readonly scale: readonly number[];
    /** base64 of int8, `width` per word. */
    readonly rows: string;
  };
  export default starter;
}
