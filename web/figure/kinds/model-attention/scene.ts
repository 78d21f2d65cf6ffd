// The shaded text and the attention weights between its tokens, with charts by distance and by channel pair beside them.
import { composeScenes, stackScenes } from '../../../charts/compose.ts';
import { curveScene } from '../../../charts/curve/curve-scene.ts';
import { createWeightsGrid, tokenLabel, tokenWeightsScene } from '../../../charts/heatmap/token-weights-scene.ts';
import type { Frame, Scene } from '../../../charts/scene.ts';
import { withNote } from '../../compute/training-source.ts';
import { isLowHeight } from '../../contract/kind.ts';
import type { Results, Spec } from './compute.ts';
import { pairsScene } from './pairs-scene.ts';
import { sentenceScene } from './sentence-scene.ts';
import { strings } from './strings.ts';

const MIN_SIDE_BY_SIDE_WIDTH = 760;
const GAP = 32;

export function attentionScene(results: Results, _: Spec, frame: Frame): Scene {
  const { model, layer, head, token, tokenTexts, weights, profile, profileWithoutPositions, pairs } = results;
  const tokens = tokenTexts.length;
  const labels = tokenTexts.map(tokenLabel);
  const sentence = sentenceScene({
    labels,
    token,
    weights: weights.data.subarray(token * tokens, (token + 1) * tokens),
    title: strings.sentenceTitle(labels[token] as string, layer, head),
    width: frame.width,
  });
  if (isLowHeight(frame.maxHeight)) return sentence;
  const isWide = frame.width >= MIN_SIDE_BY_SIDE_WIDTH;
  const leftWidth = isWide ? Math.floor((frame.width - GAP) * 0.56) : frame.width;
  const rightWidth = isWide ? frame.width - GAP - leftWidth : frame.width;
  const map = tokenWeightsScene({
    grid: createWeightsGrid(weights, model.causal),
    pieces: tokenTexts,
    rowTitle: strings.queryTitle,
    columnTitle: strings.keyTitle,
    title: strings.mapTitle(layer, head),
    width: leftWidth,
    maxHeight: 520,
    theme: frame.theme,
  });
  const minDistance = model.causal ? 0 : 1 - tokens;
  const curve = curveScene({
    x: Array.from(profile, (_, index) => index + minDistance),
    axis: 'distance',
    firstIndex: minDistance,
    series: [
      { name: strings.withPositions, y: profile, tone: 'accent' },
      ...(profileWithoutPositions ? [{ name: strings.withoutPositions, y: profileWithoutPositions, tone: 'series-2' as const }] : []),
    ],
    title: strings.profileTitle,
    xTitle: model.causal ? strings.distanceAxis : strings.signedDistanceAxis,
    yTitle: strings.profileTitle,
    width: rightWidth,
    height: 230,
  });
  const columns = pairs && pairsScene({ lift: pairs.lift, wavelengths: pairs.wavelengths, width: rightWidth, height: 210 });
  const chartPanel = columns ? stackScenes([curve, columns], { title: strings.profileTitle }, 14) : curve;
  const title = { title: strings.question };
  const notes = [strings.describeModel(model.name, model.isShipped, model.layers, model.heads), ...(pairs ? [] : [strings.noPairs])];
  const top = sentence.picture.height + 14;
  return withNote(notes, frame, () =>
    isWide
      ? composeScenes(
          [
            { scene: sentence, x: 0, y: 0 },
            { scene: map, x: 0, y: top },
            { scene: chartPanel, x: leftWidth + GAP, y: top },
          ],
          title,
        )
      : stackScenes([sentence, curve, ...(columns ? [columns] : []), map], title, 16),
  );
}
