/** Marks a formula in TeX. The build replaces it by MathML (scripts/vite/formulas.mjs); anywhere else it stays TeX. */
export const tex = (source: TemplateStringsArray): string => source.raw.join('');
