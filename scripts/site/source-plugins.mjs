// The plugins that every build of the sources in web/ needs.
import { encodingTitles } from './encoding-titles.mjs';
import { formulas } from './formulas.mjs';
import { goldenSelection } from './golden-selection.mjs';
import { shippedEncodings } from './shipped-encodings.mjs';
import { starterVectors } from './starter-vectors.mjs';
import { ownWasm, workerSourcePlugin } from './worker-source.mjs';

/** @returns {import('vite').Plugin[]} */
export const plugins = () => [
  workerSourcePlugin(),
  ownWasm(),
  encodingTitles(),
  shippedEncodings(),
  starterVectors(),
  formulas(),
  goldenSelection(),
];
