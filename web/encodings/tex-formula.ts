/** Template tag for TeX formulas. The build compiles them to MathML (scripts/site/formulas.mjs); elsewhere they stay TeX. */
export const tex = (source: TemplateStringsArray): string => source.raw.join('');
