// Expresses the height of a picture as a CSS function of its width, so that the page reserves space before the picture is drawn.

/** Minimum and maximum width of figures on pages in CSS px: the narrowest phone and the widest column. */
const [MIN_WIDTH, MAX_WIDTH] = [272, 960] as const;
/**
 * Distance in px between the sampled widths while the height is a linear function of the width. A smaller distance slows the build, which creates a
 * scene for each sample.
 */
const SAMPLE_SPACING = 32;
/** Offsets in px from a sampled width at which linearity is tested. At most one of them can fall on a cell edge. */
const TEST_OFFSETS = [7, 18] as const;
/** Tolerance of the linearity test in px, which allows for rounded heights. */
const LINEARITY_TOLERANCE = 1;
/** Maximum number of intervals in which the height is not linear. Beyond this, all intervals are sampled densely. */
const MAX_BENT_COUNT = 4;
const DENSE_SPACING = 4;
/** Maximum error in px of a line segment that replaces sampled heights. */
const HEIGHT_TOLERANCE = 2;

type Corner = readonly [width: number, height: number];

const interpolateHeight = ([left, low]: Corner, [right, high]: Corner, width: number): number =>
  low + ((high - low) * (width - left)) / (right - left);

/** Samples the height sparsely where it is linear, and densely around jumps. */
function sampleHeights(getHeight: (width: number) => number): Corner[] {
  const createCorner = (width: number): Corner => [width, getHeight(width)];
  const corners: Corner[] = [createCorner(MIN_WIDTH)];
  const appendCorner = (to: Corner): void => {
    const [width, height] = corners.at(-1) as Corner;
    const middle = Math.floor((width + to[0]) / 2);
    // Bisects to locate the width at which the height jumps.
    if (middle > width && Math.abs(to[1] - height) > DENSE_SPACING) {
      appendCorner(createCorner(middle));
      appendCorner(to);
    } else corners.push(to);
  };
  const samples = Array.from({ length: Math.ceil((MAX_WIDTH - MIN_WIDTH) / SAMPLE_SPACING) + 1 }, (_, index) =>
    createCorner(Math.min(MIN_WIDTH + index * SAMPLE_SPACING, MAX_WIDTH)),
  );
  const intervals = samples.slice(1).map((right, index) => {
    const leftCorner = samples[index] as Corner;
    const testedCorners = TEST_OFFSETS.map((offset) => leftCorner[0] + offset)
      .filter((width) => width < right[0])
      .map(createCorner);
    return {
      left: leftCorner,
      testedCorners,
      right,
      isBent: testedCorners.some(([width, height]) => Math.abs(height - interpolateHeight(leftCorner, right, width)) > LINEARITY_TOLERANCE),
    };
  });
  const isDense = intervals.filter(({ isBent }) => isBent).length > MAX_BENT_COUNT;
  for (const { left, testedCorners, right, isBent } of intervals) {
    if (isDense || isBent) {
      for (let width = left[0] + DENSE_SPACING; width < right[0]; width += DENSE_SPACING) appendCorner(createCorner(width));
      appendCorner(right);
    } else corners.push(...testedCorners, right);
  }
  return corners;
}

/**
 * Selects corners so that the polyline through them approximates all corners. `maxDeficit` is the most by which a corner is above the polyline, in
 * px.
 */
function simplify(corners: readonly Corner[]): { readonly simplified: readonly Corner[]; readonly maxDeficit: number } {
  const selectedCorners: Corner[] = [corners[0] as Corner];
  let maxDeficit = 0;
  /** Returns how far each corner between the two indices is above the line from the first to the last, in px. */
  const computeDeficits = (firstIndex: number, lastIndex: number): number[] => {
    const [left, low] = corners[firstIndex] as Corner;
    const [right, high] = corners[lastIndex] as Corner;
    const slope = (high - low) / (right - left);
    return corners.slice(firstIndex + 1, lastIndex).map(([width, height]) => height - low - slope * (width - left));
  };
  for (let start = 0; start < corners.length - 1; ) {
    let end = start + 1;
    while (end + 1 < corners.length && computeDeficits(start, end + 1).every((error) => Math.abs(error) <= HEIGHT_TOLERANCE)) end += 1;
    maxDeficit = Math.max(maxDeficit, ...computeDeficits(start, end));
    selectedCorners.push(corners[end] as Corner);
    start = end;
  }
  return { simplified: selectedCorners, maxDeficit };
}

const formatDecimal = (count: number): string => String(Number(count.toFixed(3)));

/**
 * The height as a sum for `calc()`: the height at the smallest width, plus a term per line segment. `100cqi` is the width.
 * @param heightAt the height of the picture in px, for a width in px
 */
export function formatCssHeight(heightAt: (width: number) => number): string {
  const { simplified, maxDeficit } = simplify(sampleHeights(heightAt));
  const [[, minHeight]] = simplified as [Corner];
  const terms = simplified.slice(1).flatMap(([right, height], index) => {
    const [left, previousHeight] = simplified[index] as Corner;
    const rise = height - previousHeight;
    if (rise === 0) return [];
    const risingTerm = `(100cqi - ${left}px)*${formatDecimal(rise / (right - left))}`;
    return [rise > 0 ? `clamp(0px,${risingTerm},${formatDecimal(rise)}px)` : `clamp(${formatDecimal(rise)}px,${risingTerm},0px)`];
  });
  return [`${formatDecimal(minHeight + Math.ceil(maxDeficit))}px`, ...terms].join(' + ');
}
