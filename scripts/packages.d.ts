// Declarations for packages that contain none.

declare module 'subset-font' {
  /** Returns the font with only these letters. */
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
