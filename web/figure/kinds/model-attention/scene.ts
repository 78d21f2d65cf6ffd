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

const MIN_WIDTH_BESIDE = 760;
const GAP = 32;

export function attentionScene(results: Results, _: Spec, frame: Frame): Scene {
  const { model, layer, head, token, tokenTexts, weights, profile, profileWithoutPositions, pairs } = results;
  const tokens = tokenTexts.length;
  const labels = tokenTexts.map(tokenLabel);
  const sentence = sentenceScene({
    labels,
    token,
    weights: weights.data.subarray(token * tokens, (token + 1) * tokens),
    title: strings.looks(labels[token] as string, layer, head),
    width: frame.width,
  });
  if (isLowHeight(frame.maxHeight)) return sentence;
  const isWide = frame.width >= MIN_WIDTH_BESIDE;
  const left = isWide ? Math.floor((frame.width - GAP) * 0.56) : frame.width;
  const right = isWide ? frame.width - GAP - left : frame.width;
  const map = tokenWeightsScene({
    grid: createWeightsGrid(weights, model.causal),
    pieces: tokenTexts,
    rowTitle: strings.query,
    columnTitle: strings.key,
    title: strings.map(layer, head),
    width: left,
    maxHeight: 520,
    theme: frame.theme,
  });
  const minDistance = model.causal ? 0 : 1 - tokens;
  const curve = curveScene({
    x: Array.from(profile, (_, at) => at + minDistance),
    axis: 'distance',
    firstIndex: minDistance,
    series: [
      { name: strings.asIs, y: profile, tone: 'accent' },
      ...(profileWithoutPositions ? [{ name: strings.without, y: profileWithoutPositions, tone: 'series-2' as const }] : []),
    ],
    title: strings.profile,
    xTitle: model.causal ? strings.distance : strings.distances,
    yTitle: strings.profile,
    width: right,
    height: 230,
  });
  const columns = pairs && pairsScene({ lift: pairs.lift, wavelengths: pairs.wavelengths, width: right, height: 210 });
  const chartPanel = columns ? stackScenes([curve, columns], { title: strings.profile }, 14) : curve;
  const title = { title: strings.question };
  const notes = [strings.model(model.name, model.isShipped, model.layers, model.heads), ...(pairs ? [] : [strings.noPairs])];
  const top = sentence.picture.height + 14;
  return withNote(notes, frame, () =>
    isWide
      ? composeScenes(
          [
            { scene: sentence, x: 0, y: 0 },
            { scene: map, x: 0, y: top },
            { scene: chartPanel, x: left + GAP, y: top },
          ],
          title,
        )
      : stackScenes([sentence, curve, ...(columns ? [columns] : []), map], title, 16),
  );
}
