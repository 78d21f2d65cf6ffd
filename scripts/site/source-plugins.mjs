// What the sources in web/ need to be loaded, whatever is made of them.
import { colorTables } from './color-tables.mjs';
import { formulas } from './formulas.mjs';
import { goldenSelection } from './golden-selection.mjs';
import { starterVectors } from './starter-vectors.mjs';
import { forFigures, ownWasm, workerSourcePlugin } from './worker-source.mjs';

/**
 * @param {{ figures?: boolean }} [options] whether the engine is that of figures
 * @returns {import('vite').Plugin[]}
 */
export const plugins = ({ figures = false } = {}) =>
  [
    workerSourcePlugin({ figures }),
    figures ? forFigures() : [],
    ownWasm(),
    colorTables(),
    starterVectors(),
    formulas(),
    goldenSelection(),
  ].flat();
