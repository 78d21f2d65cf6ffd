// The colour tables of the pictures, made once when the project builds: 256 colours each. The page gets four short strings instead of a
// colour library: each number minus the one before of its channel, one letter a step, which compresses to an eighth of the numbers themselves.
import { interpolateCividis, interpolateRainbow } from 'd3-scale-chromatic';

const NAME = 'virtual:color-tables';
/** For the list of licenses: a module that is made from colours of this package. */
export const MADE_FROM = { module: NAME, package: 'd3-scale-chromatic' };
const SIZE = 256;

/** 'rgb(1, 2, 3)' or '#010203' as three bytes. */
const bytes = (color) =>
  color.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : color
        .match(/-?[\d.]+/g)
        .slice(0, 3)
        .map(Number);

// Oklab (Ottosson 2020): equal steps look equal, so a diverging map made of straight lines in it has even lightness.
const linear = (byte) => (byte <= 10.31475 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const gamma = (x) => Math.round(255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055));

function oklab(hex) {
  const [r, g, b] = bytes(hex).map(linear);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function rgb([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((x) => gamma(Math.min(1, Math.max(0, x))));
}

/** A colour map through evenly spaced stops, straight in Oklab. */
function through(stops) {
  const points = stops.map(oklab);
  return (t) => {
    const at = Math.min(points.length - 2, Math.floor(t * (points.length - 1)));
    const step = t * (points.length - 1) - at;
    return rgb(points[at].map((value, i) => value + (points[at + 1][i] - value) * step));
  };
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The letter of no step. */
const LEVEL = 32;

/** The first colour as three numbers; then all steps of red, all of green, all of blue. */
const table = (color) => {
  const rows = Array.from({ length: SIZE }, (_, i) => color(i));
  const step = (channel, i) => {
    const letter = LETTERS[rows[i][channel] - rows[i - 1][channel] + LEVEL];
    if (letter === undefined) throw new Error(`a step of a colour table is larger than ${LEVEL - 1}`);
    return letter;
  };
  const steps = [0, 1, 2].map((channel) => Array.from({ length: SIZE - 1 }, (_, i) => step(channel, i + 1)).join(''));
  return [...rows[0], ...steps].join(' ');
};
const closed = (i) => i / (SIZE - 1);
/** A diverging table has its centre at entry 128, so that zero is exactly the ground of the theme. */
const centred = (i) => (i <= 128 ? i / 256 : 0.5 + (i - 128) / 254);
/** A cyclic table does not repeat its first colour at the end. */
const open = (i) => i / SIZE;

const maps = {
  sequential: () => table((i) => bytes(interpolateCividis(closed(i)))),
  divergingLight: () => {
    const color = through(['#08306b', '#3f86c6', '#fbf9f4', '#e08a3c', '#7a3003']);
    return table((i) => color(centred(i)));
  },
  divergingDark: () => {
    const color = through(['#a9d6ff', '#3d83c4', '#14161a', '#c8702a', '#ffc78f']);
    return table((i) => color(centred(i)));
  },
  cyclic: () => table((i) => bytes(interpolateRainbow(open(i)))),
};

/** Vite plugin: serves the module `virtual:color-tables`. */
export function colorTables() {
  return {
    name: 'phasor-color-tables',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: (id) =>
      id === `\0${NAME}`
        ? Object.entries(maps)
            .map(([name, make]) => `export const ${name} = '${make()}';`)
            .join('\n')
        : undefined,
  };
}
