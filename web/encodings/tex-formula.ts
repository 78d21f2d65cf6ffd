/** Tags a TeX formula. The build compiles it to MathML (scripts/site/formulas.mjs); elsewhere it stays TeX. */
export const tex = (source: TemplateStringsArray): string => source.raw.join('');
