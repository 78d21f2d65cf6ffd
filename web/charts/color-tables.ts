// The colour tables of the pictures: a few stops, and 256 colours straight between them in Oklab (Ottosson 2020), where equal steps look equal.
// Why these stops, and what a test holds them to: docs/decisions/0026-color-scales.md.

/** Entries in a colour table. */
export const TABLE_SIZE = 256;

type Triple = readonly [number, number, number];

const linear = (byte: number): number => (byte <= 10.31475 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
const gamma = (x: number): number => 255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** From a colour of six digits. */
function oklab(hex: number): Triple {
  const [r, g, b] = [linear(hex >> 16), linear((hex >> 8) & 255), linear(hex & 255)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Red, green and blue, 0 to 255 each. */
function bytes([lightness, a, b]: Triple): Triple {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    gamma(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    gamma(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** A colour map over 0 to 1 through evenly spaced stops. */
function through(...stops: readonly number[]): (t: number) => Triple {
  const points = stops.map(oklab);
  return (t) => {
    const first = Math.min(points.length - 2, Math.floor(t * (points.length - 1)));
    const share = t * (points.length - 1) - first;
    const [from, to] = [points[first] as Triple, points[first + 1] as Triple];
    const between = (at: 0 | 1 | 2): number => from[at] + (to[at] - from[at]) * share;
    return bytes([between(0), between(1), between(2)]);
  };
}

const closed = (entry: number): number => entry / (TABLE_SIZE - 1);
/** A diverging table has its centre at entry 128, so that zero is exactly the ground of the theme. */
const centred = (entry: number): number => (entry <= 128 ? entry / 256 : 0.5 + (entry - 128) / 254);

/** A circle of hues around grey, lighter on one side; entry 256 would be the first again. */
function hue(entry: number): Triple {
  const angle = (2 * Math.PI * entry) / TABLE_SIZE;
  return bytes([0.7 + 0.1 * Math.cos(angle - 1.9), 0.13 * Math.cos(angle), 0.13 * Math.sin(angle)]);
}

/** [256 colours of red, green and blue]: 0 to 255 each. */
function table(color: (entry: number) => Triple): Uint8Array {
  const made = new Uint8ClampedArray(3 * TABLE_SIZE);
  for (let entry = 0; entry < TABLE_SIZE; entry++) made.set(color(entry), 3 * entry);
  return new Uint8Array(made.buffer);
}

const sequential = (...stops: readonly number[]) => {
  const color = through(...stops);
  return table((entry) => color(closed(entry)));
};

const diverging = (...stops: readonly number[]) => {
  const color = through(...stops);
  return table((entry) => color(centred(entry)));
};

const MAKE = {
  sequentialLight: () => sequential(0xf9f5ed, 0xf7e4bd, 0xf4ce81, 0xcbbc63, 0x7faf74, 0x349280, 0x076d76, 0x0d4760, 0x0d233e),
  sequentialDark: () => sequential(0x151a20, 0x143141, 0x054e59, 0x076f6f, 0x2b907d, 0x68ac77, 0xb9bf64, 0xf0cf76, 0xfcf0cb),
  divergingLight: () => diverging(0x123f73, 0x3f86bf, 0xa9c9e6, 0xfbf9f4, 0xf3c58c, 0xd9822b, 0x8a3b06),
  divergingDark: () => diverging(0xb5dcff, 0x4f97d3, 0x2a5480, 0x14161a, 0x8a5222, 0xe08a3a, 0xffc48a),
  cyclic: () => table(hue),
} as const;

const made: { -readonly [Name in keyof typeof MAKE]?: Uint8Array } = {};

/** A table, made when a picture first has its colours. */
export function colorTable(name: keyof typeof MAKE): Uint8Array {
  made[name] ??= MAKE[name]();
  return made[name];
}
