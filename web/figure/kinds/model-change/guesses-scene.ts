// Side-by-side lists of the most likely next tokens: of the trained model, without positions, and with the change. The trained model's
// most likely token is bold in all lists.
import { isIndex } from '../../../charts/entry-at.ts';
import type { Mark, Tone } from '../../../charts/picture.ts';
import { type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import type { Guess } from './compute.ts';
import { percent, strings } from './strings.ts';

export interface GuessesSceneSpec {
  readonly text: string;
  readonly lists: readonly { readonly name: string; readonly tone: Tone; readonly guesses: readonly Guess[] }[];
  readonly width: number;
}

const ROW_HEIGHT = 24;
const GAP = 28;
const MIN_LIST_WIDTH = 190;
const TEXT_SIZE = 15;
const BAR_HEIGHT = 16;
const MAX_TOKEN_WIDTH = 110;

export function guessesScene({ text, lists, width }: GuessesSceneSpec): Scene {
  const title = strings.guessesTitle(text);
  const heading = wrapText([title], width - 4, TEXT_SIZE, 'ink');
  const columnCount = width >= lists.length * MIN_LIST_WIDTH + (lists.length - 1) * GAP ? lists.length : 1;
  const listWidth = Math.floor((width - GAP * (columnCount - 1)) / columnCount);
  const listHeight = ROW_HEIGHT * (1 + Math.max(...lists.map(({ guesses }) => guesses.length))) + 8;
  const top = heading.height + 8;
  const locateList = (list: number) => ({
    x: (list % columnCount) * (listWidth + GAP),
    y: top + Math.floor(list / columnCount) * listHeight,
  });
  const likeliestText = lists[0]?.guesses[0]?.text;
  const tokenText = (guess: Guess): string => shorten(strings.visibleToken(guess.text), MAX_TOKEN_WIDTH, TEXT_SIZE);
  const tokenWidth =
    Math.ceil(
      Math.max(
        40,
        maxTextWidth(
          lists.flatMap(({ guesses }) => guesses.map(tokenText)),
          TEXT_SIZE,
          true,
        ),
      ),
    ) + 8;
  const percentWidth = Math.ceil(textWidth('100%')) + 8;
  const maxBarLength = Math.max(20, listWidth - tokenWidth - percentWidth);
  const maxProbability = Math.exp(Math.max(...lists.flatMap(({ guesses }) => guesses.map(({ logProbability }) => logProbability))));
  const marks = lists.flatMap(({ name, tone, guesses }, list): Mark[] => {
    const { x, y } = locateList(list);
    return [
      { kind: 'text', tone, bold: true, x, y: y + ROW_HEIGHT / 2, text: shorten(name, listWidth, LABEL_SIZE, true) },
      ...guesses.flatMap((guess, index): Mark[] => {
        const rowMiddleY = y + ROW_HEIGHT * (index + 1.5);
        const isLikeliest = guess.text === likeliestText;
        const probability = Math.exp(guess.logProbability);
        const barLength = Math.max(1, (maxBarLength * probability) / maxProbability);
        return [
          {
            kind: 'text',
            tone: 'ink',
            bold: isLikeliest,
            size: TEXT_SIZE,
            anchor: 'end',
            x: x + tokenWidth - 8,
            y: rowMiddleY,
            text: tokenText(guess),
          },
          {
            kind: 'rect',
            tone,
            opacity: isLikeliest ? 1 : 0.45,
            x: x + tokenWidth,
            y: rowMiddleY - BAR_HEIGHT / 2,
            width: barLength,
            height: BAR_HEIGHT,
          },
          { kind: 'text', tone: 'muted', x: x + tokenWidth + barLength + 6, y: rowMiddleY, text: percent(probability) },
        ];
      }),
    ];
  });
  const isGuess = (list: number | undefined, guess: number | undefined): list is number =>
    isIndex(list, lists.length) && isIndex(guess, lists[list]?.guesses.length ?? 0);
  const description = lists
    .map(
      ({ name, guesses }) =>
        `${name}: ${guesses.map((guess) => strings.guessLabel(guess.text, Math.exp(guess.logProbability))).join(', ')}`,
    )
    .join('; ');
  return {
    picture: {
      width,
      height: Math.ceil(top + Math.ceil(lists.length / columnCount) * listHeight),
      title,
      description,
      rasters: [],
      marks: [...heading.marks, ...marks],
    },
    overlay({ line, guess }) {
      if (!isGuess(line, guess) || guess === undefined) return [];
      const { x, y } = locateList(line);
      return [
        {
          kind: 'rect',
          tone: 'cursor',
          outline: true,
          stroke: 2,
          x: x - 2,
          y: y + ROW_HEIGHT * (guess + 1) + 1,
          width: listWidth,
          height: ROW_HEIGHT - 2,
        },
      ];
    },
    hit(x, y) {
      for (let line = 0; line < lists.length; line += 1) {
        const location = locateList(line);
        const guess = Math.floor((y - location.y) / ROW_HEIGHT) - 1;
        if (x >= location.x && x < location.x + listWidth && isGuess(line, guess)) return { line, guess };
      }
      return undefined;
    },
    step({ line, guess }, across, down) {
      const list = isIndex(line, lists.length) && guess !== undefined ? stepIndex(line, across, lists.length) : 0;
      const guessCount = lists[list]?.guesses.length ?? 1;
      return { line: list, guess: isGuess(line, guess) ? stepIndex(guess, down, guessCount) : 0 };
    },
  };
}
