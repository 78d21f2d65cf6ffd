// Made at build time by scripts/site/color-tables.mjs: 256 colours, as the first one and the steps to the others.
declare module 'virtual:color-tables' {
  /** Cividis: dark blue to yellow, lightness always rising. */
  export const sequential: string;
  /** Blue to orange through the light ground, which is entry 128. */
  export const divergingLight: string;
  /** Blue to orange through the dark ground, which is entry 128. */
  export const divergingDark: string;
  /** A closed circle of hues; the last entry is the neighbour of the first. */
  export const cyclic: string;
}
