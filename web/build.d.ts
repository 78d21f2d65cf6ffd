// Modules that exist only while the project builds (scripts/site).

/// <reference types="vite/client" />

declare module 'virtual:encoding-titles' {
  /** By id. */
  const titles: { readonly [id: string]: string };
  export default titles;
}

declare module 'virtual:shipped-encodings' {
  /** Ids of the encodings that have a shipped character model. */
  const ids: readonly string[];
  export default ids;
  /** Ids of the encodings that have a shipped model of the copying task. */
  export const induction: readonly string[];
  /** Those of them whose model has learned to copy. */
  export const copying: readonly string[];
}

declare module 'virtual:starter-vectors' {
  const starter: {
    readonly width: number;
    /** Mean norm of all word vectors, not only of these. */
    readonly meanNorm: number;
    readonly words: readonly string[];
    /** The scale of the row of each word. */
    readonly scale: readonly number[];
    /** The rows in base64 of int8, `width` per word. */
    readonly rows: string;
  };
  export default starter;
}
