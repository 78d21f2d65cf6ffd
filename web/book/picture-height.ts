// How high a figure's picture is for the room it has, as CSS. The live figure knows; its still keeps the same place before it comes.

/** The rooms of figures on pages, CSS px: from the narrowest phone to the widest column. */
const [LEAST, MOST] = [272, 960] as const;
/** Widths so far apart are enough where heights are on a straight line; each needs a whole scene, the largest cost of a figure in a build. */
const GAP = 32;
/** Where between two of them it is tried whether they are: cells of no width end at all of these. */
const BETWEEN = [7, 18] as const;
/** The error of such a height, px: all are rounded. */
const ROUNDED = 1;
/** A picture has no more layouts than so many and one; one that bends more often is cut into cells, and straight here and there by chance. */
const BENDS = 4;
const STEP = 4;
/** The largest difference between a straight line and the heights that it replaces, px. */
const TOLERANCE = 2;

type Corner = readonly [width: number, height: number];

const onLine = ([left, low]: Corner, [right, high]: Corner, width: number): number =>
  low + ((high - low) * (width - left)) / (right - left);

/** Heights at some widths: far apart on straight lines, and close together where they jump. */
function sampled(heightAt: (width: number) => number): Corner[] {
  const at = (width: number): Corner => [width, heightAt(width)];
  const corners: Corner[] = [at(LEAST)];
  const add = (to: Corner): void => {
    const [width, height] = corners.at(-1) as Corner;
    const middle = Math.floor((width + to[0]) / 2);
    // One layout takes the place of another: where, to a pixel.
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

/** Some of them, and how much the lines through these are too low at most. */
function simplified(corners: readonly Corner[]): { readonly kept: readonly Corner[]; readonly missing: number } {
  const kept: Corner[] = [corners[0] as Corner];
  let missing = 0;
  /** How much a line from one to another is too low for each between them. */
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
    kept.push(corners[last] as Corner);
    first = last;
  }
  return { kept, missing };
}

const short = (count: number): string => String(Number(count.toFixed(3)));

/**
 * A sum for `calc()`, in which `100cqi` is the room: the height where that is least, and a term for each straight line on which it rises or falls.
 * @param heightAt of the picture in px, for a room of so many px
 */
export function heightByRoom(heightAt: (width: number) => number): string {
  const { kept, missing } = simplified(sampled(heightAt));
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
