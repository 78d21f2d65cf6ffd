// Moving words: dragging, keys, and the choice between several requests.
import { describe, expect, it, vi } from 'vitest';
import { fromSliderPosition, toSliderPosition } from '../../web/figure/controls/slider.ts';
import { coalesce } from '../../web/figure/runtime/scheduling.ts';
import { layoutSentence } from '../../web/figure/words/layout.ts';
import { discardDraft, findDraftProblem, getFieldText, parseNumber, storeDraft } from '../../web/lab/state/number-draft.ts';
import { isolate, isRightToLeft } from '../../web/sentence/direction.ts';
import { findPositionInLine, findPositionUnder, WordDrag } from '../../web/sentence/drag.ts';
import { WordKeys } from '../../web/sentence/keys.ts';
import { LongPress } from '../../web/sentence/long-press.ts';
import { createIdentityOrder, moveWord, type Order } from '../../web/sentence/order.ts';
import { tokenize } from '../../web/sentence/tokens.ts';

// Two lines of three tiles of 90 by 50.
const tiles = Array.from({ length: 6 }, (_, i) => ({ x: 100 * (i % 3), y: 60 * Math.floor(i / 3), width: 90, height: 50 }));

describe('dragged word', () => {
  it.each([
    ['stays over its own tile', 0, 50, 20, 0],
    ['stays before the middle of the next', 0, 130, 20, 0],
    ['takes the next place past its middle', 0, 150, 20, 1],
    ['takes a far place past its middle', 0, 260, 20, 2],
    ['goes back past it', 2, 140, 20, 1],
    ['takes a place on another line at once', 0, 210, 80, 5],
    ['stays in the gaps', 0, 95, 20, 0],
    ['stays outside', 0, 900, 900, 0],
  ])('%s', (_, from, x, y, to) => {
    expect(findPositionUnder(tiles, from, x, y)).toBe(to);
  });

  it.each([
    ['stays before it is halfway', 0, 94, 0],
    ['takes the next place when it is halfway, hiding no neighbour', 0, 96, 1],
    ['takes the last one from beyond it', 0, 900, 2],
    ['goes back', 2, 140, 1],
  ])('in a line: %s', (_, from, x, to) => {
    expect(findPositionInLine(tiles.slice(0, 3), from, x)).toBe(to);
  });

  it('keeps its place in a line of unequal tiles', () => {
    const line = [
      { x: 0, y: 0, width: 50, height: 50 },
      { x: 60, y: 0, width: 150, height: 50 },
    ];
    const newLine = [
      { x: 160, y: 0, width: 50, height: 50 },
      { x: 0, y: 0, width: 150, height: 50 },
    ].reverse();
    for (let x = 0; x < 220; x += 5) if (findPositionInLine(line, 0, x) === 1) expect(findPositionInLine(newLine, 1, x), `${x}`).toBe(1);
  });

  it('moves only beyond the click tolerance, follows the pointer, and is dropped once', () => {
    const move = vi.fn();
    const carry = vi.fn();
    const drop = vi.fn();
    const drag = new WordDrag({
      getPosition: () => 0,
      getCentre: () => ({ x: 45, y: 25 }),
      findTargetPosition: (_, x) => (x > 150 ? 1 : 0),
      move,
      carry,
      drop,
    });
    drag.press(7, 50, 30);
    expect(drag.follow(52, 31)).toBe(false);
    expect(drag.release()).toBe(false);
    drag.press(7, 50, 30);
    expect(drag.follow(90, 30)).toBe(true);
    expect(carry).toHaveBeenLastCalledWith(7, 85, 25);
    expect(move).not.toHaveBeenCalled();
    drag.follow(170, 30);
    expect(move).toHaveBeenCalledExactlyOnceWith(0, 1);
    expect(drag.draggedWord).toBe(7);
    expect(drag.release()).toBe(true);
    expect(drop).toHaveBeenCalledExactlyOnceWith(7);
    expect(drag.follow(300, 30)).toBe(false);
  });
});

describe('LongPress', () => {
  const press = (moves: readonly (readonly [number, number, number])[]) => {
    vi.useFakeTimers();
    const held = vi.fn();
    const press = new LongPress();
    press.begin(50, 50, held);
    for (const [wait, x, y] of moves) {
      vi.advanceTimersByTime(wait);
      press.move(x, y);
    }
    const isTap = press.end();
    vi.advanceTimersByTime(1000);
    vi.useRealTimers();
    return { isTap, held: held.mock.calls.length };
  };

  it('starts once after a delay', () => expect(press([[500, 52, 53]])).toEqual({ isTap: false, held: 1 }));
  it('is a tap before the delay', () => expect(press([[100, 52, 53]])).toEqual({ isTap: true, held: 0 }));
  it('starts at once when the finger moves sideways', () => expect(press([[20, 56, 53]])).toEqual({ isTap: false, held: 1 }));
  it('is a swipe when the finger moves up or down', () =>
    expect(
      press([
        [100, 50, 70],
        [900, 50, 200],
      ]),
    ).toEqual({ isTap: false, held: 0 }));
});

describe('right-to-left sentence', () => {
  it.each([
    ['שלום עולם', true],
    ['أكل الأسد الرجل .', true],
    ['the lion', false],
    ['42 !', false],
    ['he said שלום again', false],
  ])('is detected: %s', (text, expected) => expect(isRightToLeft(tokenize(text))).toBe(expected));

  it('isolates a word of another direction, with or without a leading space', () => {
    expect(['של', ' של', 'of', ' of'].map(isolate)).toEqual(['\u2068של\u2069', '\u2068 של\u2069', 'of', ' of']);
  });

  it('has later words on the left, also for the pointer', () => {
    const { tiles: laid, nextDirection } = layoutSentence(tokenize('הארי הרג את האיש'), { width: 700 });
    expect(nextDirection).toBe(-1);
    const boxes = laid.map(({ box }) => box);
    for (const [position, box] of boxes.entries()) if (position > 0) expect(box.x).toBeLessThan(boxes[position - 1]?.x ?? 0);
    const box = boxes[2] ?? { x: 0, y: 0, width: 0, height: 0 };
    expect(findPositionUnder(boxes, 0, box.x + box.width - 2, box.y + 4)).toBe(1);
    expect(findPositionUnder(boxes, 0, box.x + 2, box.y + 4)).toBe(2);
    expect(findPositionUnder(boxes, 3, box.x + box.width - 2, box.y + 4)).toBe(2);
  });
});

describe('WordKeys', () => {
  const words = ['Rohan', 'killed', 'the', 'lion'];

  /** Presses keys on the focused word; returns the sentence, the focus and the announcements. */
  function carry(presses: readonly string[], toRight: 1 | -1 = 1) {
    let order: Order = createIdentityOrder(4);
    let focus = 3;
    const announced: string[] = [];
    const keys = new WordKeys({
      move: (from, to) => {
        order = moveWord(order, from, to);
      },
      focus: (location) => {
        focus = order[location] as number;
      },
      announce: (sentence) => announced.push(sentence),
      onLiftChange: () => {},
    });
    for (const press of presses) {
      const altKey = press.startsWith('Alt+');
      const event = { key: press.replace('Alt+', ''), altKey, ctrlKey: false, metaKey: false, preventDefault: () => {} };
      keys.press(event as KeyboardEvent, focus, order, words, toRight);
    }
    return { text: order.map((word) => words[word]).join(' '), focus: words[focus], said: announced };
  }

  it.each([
    [['ArrowLeft', 'ArrowLeft'], 'Rohan killed the lion', 'killed'],
    [['Home'], 'Rohan killed the lion', 'Rohan'],
    [['ArrowRight'], 'Rohan killed the lion', 'lion'],
    [['Alt+ArrowLeft'], 'Rohan killed lion the', 'lion'],
    [['Alt+Home'], 'lion Rohan killed the', 'lion'],
    [[' ', 'ArrowLeft', 'ArrowLeft', ' ', 'ArrowRight'], 'Rohan lion killed the', 'killed'],
    [['Enter', 'ArrowLeft', 'ArrowLeft', 'Escape'], 'Rohan killed the lion', 'lion'],
  ])('handles %j', (presses, text, focus) => {
    expect(carry(presses)).toMatchObject({ text, focus });
  });

  it('follows the visible direction in right-to-left sentences', () => {
    expect(carry(['Alt+ArrowRight'], -1)).toMatchObject({ text: 'Rohan killed lion the', focus: 'lion' });
    expect(carry(['ArrowLeft'], -1)).toMatchObject({ focus: 'lion' });
    expect(carry(['ArrowUp'], -1)).toMatchObject({ focus: 'the' });
  });

  it('announces lifting and dropping', () => {
    expect(carry([' ', 'ArrowLeft', ' ']).said).toEqual([
      'lion lifted: arrow keys move it, Enter drops it, Escape cancels',
      'lion dropped at position 3',
    ]);
  });
});

describe('coalesce', () => {
  it('computes the newest request after the pending one, skipping those between', async () => {
    const started: number[] = [];
    const results: number[] = [];
    let finish: () => void = () => {};
    const call = coalesce(
      (input: number) =>
        new Promise<number>((resolve) => {
          started.push(input);
          finish = () => resolve(input);
        }),
      (result) => results.push(result),
      () => {},
      () => {},
    );
    for (const input of [1, 2, 3, 4]) call(input);
    finish();
    await vi.waitFor(() => expect(started).toEqual([1, 4]), 120_000);
    finish();
    await vi.waitFor(() => expect(results).toEqual([1, 4]), 120_000);
  });

  it('computes a request after an error', async () => {
    const failed: unknown[] = [];
    const results: number[] = [];
    const call = coalesce(
      async (input: number) => {
        if (input < 0) throw new Error('negative');
        return input;
      },
      (result) => results.push(result),
      (error) => failed.push(error),
      () => {},
    );
    call(-1);
    await vi.waitFor(() => expect(failed).toHaveLength(1), 120_000);
    call(5);
    await vi.waitFor(() => expect(results).toEqual([5]), 120_000);
  });

  it.each(['done', 'failed'] as const)('computes a request after the callback %s throws', async (broken) => {
    const events: string[] = [];
    const hear = (name: string, input: number): void => {
      events.push(`${name} ${input}`);
      if (name === broken && Math.abs(input) === 1) throw new Error('cannot draw');
    };
    const call = coalesce(
      async (input: number) => {
        if (input < 0) throw new Error('negative');
        return input;
      },
      (result) => hear('done', result),
      (_, input) => hear('failed', input),
      (error) => events.push(String(error)),
    );
    const sign = broken === 'done' ? 1 : -1;
    call(sign);
    await vi.waitFor(() => expect(events).toEqual([`${broken} ${sign}`, 'Error: cannot draw']), 120_000);
    call(sign * 2);
    await vi.waitFor(() => expect(events.slice(2)).toEqual([`${broken} ${sign * 2}`]), 120_000);
  });
});

describe('slider', () => {
  const range = { min: 1.001, max: 1e9, whole: false, logarithmic: true };

  it('reaches both ends and round-trips', () => {
    expect(fromSliderPosition(0, range)).toBe(1.001);
    expect(fromSliderPosition(1000, range)).toBe(1e9);
    for (const step of [1, 250, 444, 999]) expect(toSliderPosition(fromSliderPosition(step, range), range)).toBe(step);
  });

  it('is clamped for values outside its range', () => {
    expect(toSliderPosition(0, range)).toBe(0);
    expect(toSliderPosition(-5, range)).toBe(0);
    expect(toSliderPosition(Number.NaN, range)).toBe(0);
    expect(toSliderPosition(1e12, range)).toBe(1000);
  });

  it('rounds to integers where required', () => {
    expect(fromSliderPosition(333, { min: 1, max: 10, whole: true, logarithmic: false })).toBe(4);
  });
});

describe('number draft', () => {
  it.each([
    ['1e6', 1e6],
    ['0.', 0],
    ['.5', 0.5],
    ['-3', -3],
    [' 2.5E-3 ', 0.0025],
  ])('parses %j', (text, value) => expect(parseNumber(text)).toBe(value));

  it.each(['', ' ', '-', '1e', '1e+', '.', '0x10', 'Infinity', '1e999', '0,5', '1 0'])('rejects %j', (text) =>
    expect(parseNumber(text)).toBeUndefined(),
  );

  it('keeps the typed text, and the field keeps its last number', () => {
    let value = 10000;
    const problems: (string | undefined)[] = [];
    for (const text of ['', '1', '1e', '1e6']) {
      value = storeDraft('base', text, value) ?? value;
      expect(getFieldText('base', value)).toBe(text);
      problems.push(findDraftProblem('base', value, { name: 'base', allowed: '1.001 to 10⁹' }));
    }
    expect(problems).toEqual([
      'base: a number is missing (1.001 to 10⁹)',
      undefined,
      'base: “1e” is not a number (1.001 to 10⁹)',
      undefined,
    ]);
    expect(value).toBe(1e6);
    discardDraft('base');
    expect(getFieldText('base', value)).toBe('1000000');
  });

  it('is replaced by a number set elsewhere, and belongs to one field', () => {
    storeDraft('base', '-', 10000);
    expect(getFieldText('base', 10000)).toBe('-');
    expect(getFieldText('base', 500)).toBe('500');
    expect(getFieldText('heads', 10000)).toBe('10000');
    discardDraft('heads');
    expect(getFieldText('base', 10000)).toBe('-');
    discardDraft('base');
    expect(getFieldText('base', 10000)).toBe('10000');
  });
});
