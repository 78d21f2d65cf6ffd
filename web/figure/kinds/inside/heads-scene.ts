// A large attention map of the selected head, with small maps of all heads beside it or below it.
import { colorScaleOf } from '../../../charts/color.ts';
import { composeScenes, translateMark } from '../../../charts/compose.ts';
import { headMapsScene } from '../../../charts/heatmap/head-maps-scene.ts';
import { matrixScene } from '../../../charts/heatmap/matrix-scene.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { LABEL_SIZE } from '../../../charts/text-metrics.ts';
import { wrapText } from '../../../charts/wrapped-text.ts';
import { toGrid } from '../../contract/tensor.ts';
import { getHeadIndex, getHeadMap, type HeadResults, labelCharacter, toLayerAndHead } from './heads.ts';
import type { Spec } from './index.ts';
import { trackHeight, withTrack } from './model.ts';
import { strings } from './strings.ts';

/** Minimum figure width, px, at which the small maps are beside the large map. */
const MIN_WIDTH_BESIDE = 560;
const GAP = 28;

export function withNotes(scene: Scene, texts: readonly string[], width: number): Scene {
  const note = wrapText(texts, width - 8, LABEL_SIZE, 'muted');
  const { picture } = scene;
  const marks = note.marks.map((mark) => translateMark(mark, 0, picture.height + 6));
  return {
    ...scene,
    picture: {
      ...picture,
      height: Math.ceil(picture.height + note.height + 8),
      description: [picture.description, ...texts].join(' '),
      marks: [...picture.marks, ...marks],
    },
  };
}

export const notesHeight = (texts: readonly string[], width: number): number => wrapText(texts, width - 8, LABEL_SIZE, 'muted').height + 8;

/** Returns notes about the source of the weights and, if the model's input differs from the text, about the input. */
function createNotes(results: HeadResults): string[] {
  const { characters, unknownCharacters, knownCharacterCount, isLowercased } = results.modelInput;
  const isTruncated = knownCharacterCount > characters.length;
  const differsFromText = isLowercased || unknownCharacters.length > 0 || isTruncated;
  const inputText = differsFromText
    ? [strings.inputNote(characters.join(''), unknownCharacters, isTruncated ? [characters.length, knownCharacterCount] : undefined)]
    : [];
  return [[...inputText, strings.trainingNote(results, results.hasOtherParams)].join(' ')];
}

export function headsScene(results: HeadResults, spec: Spec, frame: Frame): Scene {
  const { maps, modelInput, layers, heads } = results;
  const notes = createNotes(results);
  const scale = spec.colors === 'root' ? 'root' : 'sequential';
  // One colour scale for all heads makes them comparable.
  const range = [0, colorScaleOf(scale, maps.data, frame.theme).domain[1]] as const;
  const areMapsBeside = frame.width >= MIN_WIDTH_BESIDE;
  const notesAndTrackHeight = notesHeight(notes, frame.width) + trackHeight(results);
  // On a narrow screen, the large map has the full width. Its height may exceed the screen, because the page scrolls.
  const maxHeight = areMapsBeside ? (frame.maxHeight ?? 640) - notesAndTrackHeight : frame.width + 100;
  // If the height limits the large map, the small maps use the remaining width.
  const largeWidth = areMapsBeside ? Math.min(Math.round((frame.width - GAP) * 0.6), maxHeight + 40) : frame.width;
  const mapsWidth = areMapsBeside ? frame.width - GAP - largeWidth : frame.width;
  const selectedHead = getHeadIndex(results, spec);
  const { layer, head } = toLayerAndHead(results, selectedHead);
  const labels = modelInput.characters.map(labelCharacter);
  const largeMap = matrixScene({
    ...frame,
    maxHeight,
    width: largeWidth,
    grid: toGrid(getHeadMap(results, selectedHead)),
    scale,
    range,
    title: strings.mapTitle(layer, head),
    quantity: strings.weight,
    masked: strings.masked,
    rowAxis: 'query',
    columnAxis: 'key',
    rowLabels: labels,
    columnLabels: labels,
    rowTitle: strings.query,
    columnTitle: strings.key,
  });
  const smallMaps = headMapsScene({
    maps: Array.from({ length: layers * heads }, (_, index) => toGrid(getHeadMap(results, index))),
    layers: Array.from({ length: layers }, (_, layer) => strings.layerName(layer + 1)),
    scale,
    range,
    enlargedHead: selectedHead,
    title: strings.headMapsTitle,
    headAxis: 'head',
    rowAxis: 'query',
    columnAxis: 'key',
    width: mapsWidth,
    maxHeight: areMapsBeside ? Math.max(240, largeMap.picture.height) : 300,
    theme: frame.theme,
  });
  const mapsOrigin = areMapsBeside ? { x: largeWidth + GAP, y: 0 } : { x: 0, y: largeMap.picture.height + 16 };
  const mapsScene = composeScenes(
    [
      { scene: largeMap, x: 0, y: 0 },
      { scene: smallMaps, ...mapsOrigin },
    ],
    { title: strings.mapTitle(layer, head) },
  );
  return withNotes(withTrack(mapsScene, results, frame.width), notes, frame.width);
}
