// The CSS expression for the height of a picture matches the height of the picture at any width.
import { describe, expect, it } from 'vitest';
import { formatCssHeight } from '../../web/book/picture-height.ts';

/** The value of the expression at a width in px. */
function evaluateHeight(expression: string, room: number): number {
  const terms = expression.replaceAll('100cqi', String(room)).replaceAll('px', '');
  const clamp = (minimum: number, value: number, maximum: number): number => Math.max(minimum, Math.min(value, maximum));
  return new Function('clamp', `return ${terms}`)(clamp) as number;
}

const rooms = Array.from({ length: 960 - 272 + 1 }, (_, index) => 272 + index);

describe('formatCssHeight', () => {
  const shapes: { readonly [name: string]: (width: number) => number } = {
    'matches a constant height': () => 320,
    'matches a height that rises to a maximum': (width) => Math.min(477, Math.round(width * 0.9)),
    'matches two layouts with a breakpoint at 738 px': (width) => (width < 738 ? 1320 : 320),
    'matches three layouts': (width) =>
      width < 500 ? Math.round(1224 + (width - 328) * 3.2) : width < 738 ? 664 + Math.round((width - 500) * 0.9) : 350,
    'matches cells of 16 px': (width) => 112 + 8 * Math.floor(width / 16),
    'matches cells of 12 px': (width) => 112 + 7 * Math.ceil((width + 5) / 12),
    'matches cells of 23 px': (width) => 112 + 8 * Math.ceil(width / 23),
    'matches cells of 24 px': (width) => 112 + 8 * Math.ceil((width - 1) / 24),
    'matches cells of 64 px': (width) => 400 - 8 * Math.ceil(width / 64),
    'matches a layout that applies to 18 px only': (width) => (width > 500 && width <= 518 ? 900 : 320),
    'matches a height that falls slowly': (width) => 900 - Math.round(width / 4),
  };
  for (const [name, heightAt] of Object.entries(shapes)) {
    it(name, () => {
      const expression = formatCssHeight(heightAt);
      // A lower value would move the content below, a much higher one would leave a gap.
      const differences = rooms.map((room) => [room, evaluateHeight(expression, room) - heightAt(room)] as const);
      expect(differences.filter(([, px]) => !(px >= -0.6 && px <= 8))).toEqual([]);
    });
  }

  it('measures few widths of a smooth height, and every fourth width of a stepped one', () => {
    const requestedWidths = (heightAt: (width: number) => number): number => {
      const widths = new Set<number>();
      formatCssHeight((width) => heightAt(widths.add(width) && width));
      return widths.size;
    };
    expect(requestedWidths((width) => Math.min(477, Math.round(width * 0.9)))).toBeLessThan(80);
    expect(requestedWidths((width) => 112 + 8 * Math.floor(width / 16))).toBeGreaterThanOrEqual(173);
  });

  it('returns a short expression for a constant height and for a single step', () => {
    expect(formatCssHeight(() => 320)).toBe('320px');
    expect(formatCssHeight((width) => (width < 738 ? 640 : 320))).toBe('640px + clamp(-320px,(100cqi - 737px)*-320,0px)');
  });
});
