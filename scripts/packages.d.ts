// Packages without type declarations.

declare module 'subset-font' {
  /** The font with these letters only. */
  export default function subsetFont(
    font: Uint8Array,
    letters: string,
    options: {
      targetFormat?: 'sfnt' | 'woff' | 'woff2' | 'truetype';
      keepFeatures?: string[];
      variationAxes?: { [axis: string]: number | { min: number; max: number; default?: number } };
    },
  ): Promise<Buffer>;
}
