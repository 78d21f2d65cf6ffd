import { strings } from './strings.ts';

type Matrix = readonly [number, number, number, number];

const rotationMatrix = (degrees: number, length = 1): Matrix => {
  const angle = (degrees * Math.PI) / 180;
  const [x, y] = [length * Math.cos(angle), length * Math.sin(angle)];
  return [x, -y, y, x];
};

/** Rounds to six decimals, which keeps links short and the scores of rotations within the figure's tolerance. */
export const roundEntry = (value: number): number => Math.round(1e6 * value) / 1e6 + 0;

const createMatrices = (matrix: (position: number) => Matrix): readonly number[] =>
  [1, 2, 3].flatMap((position) => matrix(position).map(roundEntry));

export const SPIRAL = createMatrices((position) => rotationMatrix(35 * position, 1.15 ** position));

export const PRESETS: readonly { readonly label: string; readonly matrices: readonly number[] }[] = [
  { label: strings.presets.spiral, matrices: SPIRAL },
  { label: strings.presets.stretch, matrices: createMatrices((position) => [1.2 ** position, 0, 0, 1.2 ** position]) },
  { label: strings.presets.shear, matrices: createMatrices((position) => [1, 0.5 * position, 0, 1]) },
  { label: strings.presets.squares, matrices: createMatrices((position) => rotationMatrix(20 * position ** 2)) },
  { label: strings.presets.flip, matrices: createMatrices((position) => (position % 2 === 1 ? [1, 0, 0, -1] : [1, 0, 0, 1])) },
  { label: strings.presets.rotation, matrices: createMatrices((position) => rotationMatrix(35 * position)) },
];
