// The height of a figure's picture as a CSS function of the width, with which the still picture reserves the height of the live one.

/** Minimum and maximum width of figures on pages in CSS px: the narrowest phone and the widest column. */
const [LEAST, MOST] = [272, 960] as const;
/** The spacing of sampled widths where heights are linear. Each sample creates a scene, which dominates the build time of a figure. */
const GAP = 32;
/** The offsets in px from a sample at which linearity is tested. No cell width makes all of them coincide with cell edges. */
const BETWEEN = [7, 18] as const;
/** The rounding error of a height in px. */
const ROUNDED = 1;
/** The maximum number of layouts per picture, plus one: a picture with more slope changes consists of cells, and is linear only by chance. */
const BENDS = 4;
const STEP = 4;
/** The largest difference in px between a line segment and the heights that it replaces. */
const TOLERANCE = 2;

type Corner = readonly [width: number, height: number];

const onLine = ([left, low]: Corner, [right, high]: Corner, width: number): number =>
  low + ((high - low) * (width - left)) / (right - left);

/** Samples heights, sparsely on straight segments and densely around jumps. */
function sample(heightAt: (width: number) => number): Corner[] {
  const at = (width: number): Corner => [width, heightAt(width)];
  const corners: Corner[] = [at(LEAST)];
  const add = (to: Corner): void => {
    const [width, height] = corners.at(-1) as Corner;
    const middle = Math.floor((width + to[0]) / 2);
    // Bisects to find the width in px at which one layout replaces another.
    if (middle > width && Math.abs(to[1] - height) > STEP) {
      add(at(middle));
      add(to);
    } else corners.push(to);
  };
  const ends = Array.from({ length: Math.ceil((MOST - LEAST) / GAP) + 1 }, (_, index) => at(Math.min(LEAST + index * GAP, MOST)));
  const spans = ends.slice(1).map((right, index) => {
    const left = ends[index] as Corner;
    const between = BETWEEN.map((px) => left[0] + px)
      .filter((width) => width < right[0])
      .map(at);
    return { left, between, right, bends: between.some(([width, height]) => Math.abs(height - onLine(left, right, width)) > ROUNDED) };
  });
  const isCut = spans.filter(({ bends }) => bends).length > BENDS;
  for (const { left, between, right, bends } of spans) {
    if (isCut || bends) {
      for (let width = left[0] + STEP; width < right[0]; width += STEP) add(at(width));
      add(right);
    } else corners.push(...between, right);
  }
  return corners;
}

/** A subset of the corners, and the largest error below the lines through the subset. */
function simplify(corners: readonly Corner[]): { readonly kept: readonly Corner[]; readonly missing: number } {
  const stored: Corner[] = [corners[0] as Corner];
  let missing = 0;
  /** The errors of the corners between `first` and `last` below the line through the two. */
  const between = (first: number, last: number): number[] => {
    const [left, low] = corners[first] as Corner;
    const [right, high] = corners[last] as Corner;
    const slope = (high - low) / (right - left);
    return corners.slice(first + 1, last).map(([width, height]) => height - low - slope * (width - left));
  };
  for (let first = 0; first < corners.length - 1; ) {
    let last = first + 1;
    while (last + 1 < corners.length && between(first, last + 1).every((low) => Math.abs(low) <= TOLERANCE)) last += 1;
    missing = Math.max(missing, ...between(first, last));
    stored.push(corners[last] as Corner);
    first = last;
  }
  return { kept: stored, missing };
}

const short = (count: number): string => String(Number(count.toFixed(3)));

/**
 * The height as a sum for `calc()`, in which `100cqi` is the width: the height at the smallest width, plus a term per line segment.
 * @param heightAt the height of the picture in px, for a width in px
 */
export function heightByRoom(heightAt: (width: number) => number): string {
  const { kept, missing } = simplify(sample(heightAt));
  const [[, least]] = kept as [Corner];
  const terms = kept.slice(1).flatMap(([right, height], index) => {
    const [left, before] = kept[index] as Corner;
    const rise = height - before;
    if (rise === 0) return [];
    const ramp = `(100cqi - ${left}px)*${short(rise / (right - left))}`;
    return [rise > 0 ? `clamp(0px,${ramp},${short(rise)}px)` : `clamp(${short(rise)}px,${ramp},0px)`];
  });
  return [`${short(least + Math.ceil(missing))}px`, ...terms].join(' + ');
}
