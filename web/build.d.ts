// Virtual modules that the build generates (scripts/site).

/// <reference types="vite/client" />

declare module 'virtual:encoding-titles' {
  const titles: { readonly [id: string]: string };
  export default titles;
}

declare module 'virtual:shipped-encodings' {
  /** Ids of the encodings that have a shipped character model. */
  const ids: readonly string[];
  export default ids;
  /** Ids of the encodings that have a shipped model for the copying task. */
  export const induction: readonly string[];
  /** Ids of the encodings whose shipped model has learned the copying task. */
  export const copying: readonly string[];
}

declare module 'virtual:starter-vectors' {
  const starter: {
    readonly width: number;
    /** Mean vector norm over the whole vocabulary, not only `words`. */
    readonly meanNorm: number;
    readonly words: readonly string[];
    readonly scale: readonly number[];
    /** The int8 matrix [words, width] in base64. */
    readonly rows: string;
  };
  export default starter;
}
