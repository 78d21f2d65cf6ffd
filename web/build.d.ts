// Modules that exist only while the project builds (scripts/vite).

/// <reference types="vite/client" />

declare module 'virtual:pictures' {
  interface Shades {
    /** Pixels of a side. */
    readonly side: number;
    /** side * side * 3 letters of base64, one a shade of red, green or blue (0 to 63) minus that of the pixel left of it, modulo 64. */
    readonly shades: string;
  }
  const pictures: { readonly astronaut: Shades; readonly camera: Shades };
  export default pictures;
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
