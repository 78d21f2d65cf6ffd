// Checks the symbols that a chapter explains: each must occur in its formula, and the figure that it lights must have the axes of its cursor.
import { mathml } from './formula.mjs';
import { BookProblem, computedFor } from './problem.mjs';

/** @import { Collected, Figure, Lights } from './chapter-parts.mjs' */
/** @import { Axes } from './figures.mjs' */
/** @import { Place } from './problem.mjs' */
/** @import { ChapterMeans } from './chapter.mjs' */

/**
 * @param {Lights} lights
 * @param {Figure} lit
 * @param {Axes} axes of the figure
 * @param {Place} location
 */
function checkCursor({ figure, cursor }, { kind }, axes, location) {
  const names = Object.keys(axes);
  for (const [axis, at] of Object.entries(cursor)) {
    const range = axes[axis];
    if (!range) {
      const known = names.length > 0 ? `it has ${names.join(', ')}` : 'nothing in it can be pointed at';
      throw new BookProblem(
        `symbols: {lights #${figure} ${axis}=${at}}: the picture of this ${kind} figure has no axis “${axis}”; ${known}`,
        location,
      );
    }
    const [lowest, highest] = range;
    if (at < lowest || at > highest || !Number.isInteger(at))
      throw new BookProblem(
        `symbols: {lights #${figure} ${axis}=${at}}: in the picture of this figure ${axis} is a whole number from ${lowest} to ${highest}`,
        location,
      );
  }
}

/** @param {Pick<Collected, 'formulas' | 'figures'>} collected @param {Pick<ChapterMeans, 'modules' | 'axes'>} means */
export async function checkSymbols({ formulas, figures }, { modules, axes }) {
  for (const { source, symbols, place: where } of formulas) {
    if (symbols.length === 0) continue;
    const whole = modules.formulaTree(mathml(source, { display: true, place: where }));
    for (const { source: symbol, place, lights } of symbols) {
      if (modules.symbolIn(whole, modules.formulaTree(mathml(symbol, { display: false, place }))).length === 0)
        throw new BookProblem(`symbols: $${symbol}$ is not in the formula above as it is written here`, place);
      if (!lights) continue;
      const figure = figures.find(({ id }) => id === lights.figure);
      if (!figure) throw new BookProblem(`there is no figure #${lights.figure} in this chapter`, place);
      checkCursor(lights, figure, await computedFor(place, () => axes(figure)), place);
    }
  }
}
