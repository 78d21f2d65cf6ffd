// One small bar chart per head, with one row of charts per layer. A bar is a channel pair's share of the head's |q||k|; fast pairs are
// on the left.
import { entryAt } from '../../../charts/entry-at.ts';
import { extent } from '../../../charts/grid.ts';
import type { Box, Mark } from '../../../charts/picture.ts';
import { type Cursor, type Frame, type Scene, stepIndex } from '../../../charts/scene.ts';
import { LABEL_SIZE, maxTextWidth, shorten, textWidth } from '../../../charts/text-metrics.ts';
import { type FrequencyResults, frequencyStrings, getRow, sumHalves } from './frequencies.ts';
import { getCursorHead, getHeadIndex, toLayerAndHead } from './heads.ts';
import { notesHeight, withNotes } from './heads-scene.ts';
import type { Spec } from './index.ts';
import { trackHeight, withTrack } from './model.ts';
import { strings } from './strings.ts';

const [LEGEND_HEIGHT, LAYER_HEIGHT, NAME_HEIGHT] = [18, 32, 18];
const [TICKS_HEIGHT, AXIS_HEIGHT] = [20, 22];
const [MIN_BARS_HEIGHT, MAX_BARS_HEIGHT] = [56, 120];

function layoutColumns({ heads }: FrequencyResults, width: number, left: number): { readonly plotWidth: number; readonly gap: number } {
  const gap = width < 480 ? 8 : 20;
  return { plotWidth: Math.floor((width - left - gap * (heads - 1)) / heads), gap };
}

function describeMainDistance({ meanByDistance }: FrequencyResults, index: number): string {
  const { max, argmax } = extent(getRow(meanByDistance, index));
  return frequencyStrings.mainDistance(argmax, frequencyStrings.formatTick(max));
}

function describeFrequencies(results: FrequencyResults): string {
  const { shares, wavelengths } = results;
  const headTexts = Array.from({ length: entryAt(shares.shape, 0) }, (_, index) => {
    const { layer, head } = toLayerAndHead(results, index);
    const { max, argmax } = extent(getRow(shares, index));
    return frequencyStrings.strongestPairOfHead(strings.headLocation(layer, head), argmax, frequencyStrings.formatShare(max));
  });
  const fastFraction = sumHalves(results).data.at(-2) as number;
  return frequencyStrings.description(headTexts.join('; '), frequencyStrings.formatShare(fastFraction), wavelengths.length);
}

const createTextMark = (tone: 'ink' | 'muted' | 'cursor', x: number, y: number, text: string, options: object = {}): Mark => ({
  kind: 'text',
  tone,
  x,
  y,
  text,
  ...options,
});

function createLegend(trainedLength: number, width: number): { readonly marks: readonly Mark[]; readonly height: number } {
  const [shadeText, equalText] = [frequencyStrings.shadeLabel(trainedLength), frequencyStrings.equalUseLabel];
  const secondEntryX = 18 + textWidth(shadeText) + 24;
  const isBeside = secondEntryX + 26 + textWidth(equalText) <= width;
  const firstLineY = 8 + LEGEND_HEIGHT;
  const [x, y] = isBeside ? [secondEntryX, firstLineY] : [0, firstLineY + LEGEND_HEIGHT];
  const marks: Mark[] = [
    createTextMark('ink', 0, 8, shorten(frequencyStrings.barsTitle, width)),
    { kind: 'rect', tone: 'hairline', opacity: 0.45, x: 0, y: firstLineY - 6, width: 12, height: 12 },
    createTextMark('muted', 18, firstLineY, shorten(shadeText, width - 18)),
    { kind: 'line', tone: 'muted', dashed: true, x1: x, y1: y, x2: x + 20, y2: y },
    createTextMark('muted', x + 26, y, shorten(equalText, width - x - 26)),
  ];
  return { marks, height: (isBeside ? 2 : 3) * LEGEND_HEIGHT };
}

export function frequencyScene(results: FrequencyResults, spec: Spec, frame: Frame): Scene {
  const { shares, wavelengths, heads, layers, trainedLength, modelInput, hasOtherParams } = results;
  const { width } = frame;
  const pairCount = wavelengths.length;
  // One scale for all heads makes them comparable.
  const maxShare = Math.ceil(extent(shares.data).max * 10) / 10;
  const shareTicks = [0, maxShare / 2, maxShare];
  const left = Math.ceil(maxTextWidth(shareTicks.map(frequencyStrings.formatTick))) + 8;
  const { plotWidth, gap } = layoutColumns(results, width - 2, left);
  const mainDistances = Array.from({ length: layers * heads }, (_, index) => describeMainDistance(results, index));
  // If the charts are too narrow for the second line, a head's main distance appears only in the readout.
  const nameLineCount = maxTextWidth(mainDistances) <= plotWidth ? 2 : 1;
  const notes = [
    [
      ...(nameLineCount === 2 ? [frequencyStrings.mainDistanceNote] : []),
      frequencyStrings.inputNote(modelInput.characters.length, trainedLength, modelInput.unknownCharacters, modelInput.knownCharacterCount),
      strings.trainingNote(results, hasOtherParams),
    ].join(' '),
  ];
  const legend = createLegend(trainedLength, width);
  const labelsHeight = LAYER_HEIGHT + nameLineCount * NAME_HEIGHT;
  const availableHeight = (frame.maxHeight ?? 520) - notesHeight(notes, width) - legend.height - AXIS_HEIGHT - trackHeight(results);
  const barHeight = Math.floor(
    Math.max(MIN_BARS_HEIGHT, Math.min(MAX_BARS_HEIGHT, availableHeight / layers - labelsHeight - TICKS_HEIGHT)),
  );
  const rowHeight = labelsHeight + barHeight + TICKS_HEIGHT;
  const height = legend.height + layers * rowHeight + AXIS_HEIGHT;
  const boxes = Array.from(
    { length: layers * heads },
    (_, index): Box => ({
      x: left + (index % heads) * (plotWidth + gap),
      y: legend.height + Math.floor(index / heads) * rowHeight + labelsHeight,
      width: plotWidth,
      height: barHeight,
    }),
  );
  const createNameMark = (tone: 'ink' | 'muted' | 'cursor', box: Box, index: number, isBold: boolean): Mark =>
    createTextMark(
      tone,
      box.x,
      box.y - nameLineCount * NAME_HEIGHT + 6,
      shorten(strings.headName(toLayerAndHead(results, index).head), plotWidth),
      {
        bold: isBold,
      },
    );
  const selectedHead = getHeadIndex(results, spec);
  const pairWidth = plotWidth / pairCount;
  const yOfShare = (box: Box, share: number): number => box.y + box.height * (1 - share / maxShare);
  const createBar = (index: number, pair: number): Box => {
    const box = boxes[index] as Box;
    const y = yOfShare(box, entryAt(getRow(shares, index), pair));
    return {
      x: box.x + pair * pairWidth + Math.min(1, pairWidth / 8),
      y,
      width: pairWidth - Math.min(2, pairWidth / 4),
      height: box.y + box.height - y,
    };
  };
  const completedPairCount = Array.from(wavelengths).filter((tokens) => tokens <= trainedLength).length;
  const endLabels = [0, pairCount - 1].map((pair) => frequencyStrings.formatWavelength(entryAt(wavelengths, pair)));

  const createPlotMarks = (box: Box, index: number): Mark[] => {
    const bottom = box.y + box.height;
    const isSelected = index === selectedHead;
    return [
      ...(completedPairCount > 0
        ? [
            {
              kind: 'rect',
              tone: 'hairline',
              opacity: 0.45,
              x: box.x,
              y: box.y,
              width: completedPairCount * pairWidth,
              height: box.height,
            } as const,
          ]
        : []),
      createNameMark(isSelected ? 'ink' : 'muted', box, index, isSelected),
      ...(nameLineCount === 2 ? [createTextMark('muted', box.x, box.y - NAME_HEIGHT + 6, mainDistances[index] as string)] : []),
      ...Array.from({ length: pairCount }, (_, pair): Mark => ({ kind: 'rect', tone: 'accent', ...createBar(index, pair) })),
      {
        kind: 'line',
        tone: 'muted',
        dashed: true,
        x1: box.x,
        y1: yOfShare(box, 1 / pairCount),
        x2: box.x + plotWidth,
        y2: yOfShare(box, 1 / pairCount),
      },
      {
        kind: 'line',
        tone: isSelected ? 'accent' : 'muted',
        stroke: isSelected ? 2.5 : 1,
        x1: box.x,
        y1: bottom,
        x2: box.x + plotWidth,
        y2: bottom,
      },
      createTextMark('muted', box.x, bottom + 11, endLabels[0] as string),
      createTextMark('muted', box.x + plotWidth, bottom + 11, endLabels[1] as string, { anchor: 'end' }),
    ];
  };

  const scene: Scene = {
    picture: {
      width,
      height,
      title: frequencyStrings.title,
      description: describeFrequencies(results),
      rasters: [],
      marks: [
        ...legend.marks,
        ...Array.from({ length: layers }, (_, layer) => {
          const { y, height: plotHeight } = boxes[layer * heads] as Box;
          return [
            createTextMark('ink', 0, y - nameLineCount * NAME_HEIGHT - 10, strings.layerName(layer + 1), { bold: true }),
            ...shareTicks.map((level) =>
              createTextMark('muted', left - 6, y + plotHeight * (1 - level / maxShare), frequencyStrings.formatTick(level), {
                anchor: 'end',
              }),
            ),
          ];
        }).flat(),
        ...boxes.flatMap(createPlotMarks),
        createTextMark('muted', width - 2, height - AXIS_HEIGHT / 2, shorten(frequencyStrings.axisTitle, width), {
          anchor: 'end',
          size: LABEL_SIZE,
        }),
      ],
    },
    overlay(cursor: Cursor): Mark[] {
      const { pair } = cursor;
      const head = getCursorHead(results, cursor.head);
      const hasPair = pair !== undefined && Number.isInteger(pair) && pair >= 0 && pair < pairCount;
      return boxes.flatMap((box, index): Mark[] => {
        if (head !== undefined && head !== index) return [];
        const name = head === undefined ? [] : [createNameMark('cursor', box, index, true)];
        if (!hasPair) return name;
        const column = { x: box.x + pair * pairWidth, y: box.y, width: pairWidth, height: box.height };
        return [
          ...name,
          { kind: 'rect', tone: 'halo', outline: true, stroke: 3, ...column },
          { kind: 'rect', tone: 'cursor', outline: true, stroke: 1.5, ...column },
        ];
      });
    },
    hit(x, y) {
      const index = boxes.findIndex(
        (box) => x >= box.x && x < box.x + plotWidth && y >= box.y - nameLineCount * NAME_HEIGHT && y < box.y + box.height + TICKS_HEIGHT,
      );
      if (index < 0) return undefined;
      const box = boxes[index] as Box;
      return y < box.y ? { head: index } : { head: index, pair: Math.min(pairCount - 1, Math.floor((x - box.x) / pairWidth)) };
    },
    /**
     * Left and right arrows move through the pairs of all heads in a layer. Up and down arrows move to the same pair in
     * another layer.
     */
    step(cursor, columns, rows) {
      const head = getCursorHead(results, cursor.head) ?? selectedHead;
      const { pair } = cursor;
      if (pair === undefined || !(pair >= 0 && pair < pairCount)) return { ...cursor, head, pair: 0 };
      const nextIndex = stepIndex((head % heads) * pairCount + pair, columns, heads * pairCount);
      const layer = stepIndex(Math.floor(head / heads), rows, layers);
      return { ...cursor, head: layer * heads + Math.floor(nextIndex / pairCount), pair: nextIndex % pairCount };
    },
  };
  return withNotes(withTrack(scene, results, width), notes, width);
}
