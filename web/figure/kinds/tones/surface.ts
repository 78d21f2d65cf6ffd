// The interactive figure: one string per pair, a play button, and buttons for methods of context extension. No sound is
// played before the user presses the play button.
import { computed, signal } from '@preact/signals-core';
import { html, nothing, render, unsafeCSS } from 'lit';
import { mountPicture } from '../../../charts/render/screen.ts';
import type { EncodingSpec } from '../../contract/fields.ts';
import type { LiveFigure, SurfaceContainer } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { drawOnChange } from '../../runtime/scene-source.ts';
import choiceRow from '../../surface/choice-row.css?inline';
import playButton from '../../surface/play-button.css?inline';
import { getPointerPosition } from '../../surface/pointer-place.ts';
import type { Tones } from './compute.ts';
import type { fields } from './index.ts';
import { createPlayer, type Player } from './player.ts';
import { tonesScene } from './scene.ts';
import { strings } from './strings.ts';
import style from './surface.css?inline';
import { describeTone, describeTones } from './texts.ts';

const PLAY_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 1.5v13l11-6.5z" /></svg>`;
const STOP_ICON = html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M3 3h10v10H3z" /></svg>`;
const SCALING_FACTOR = 4;
const CURSOR_STEPS: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

type ScalingChoice = keyof typeof strings.choices;
/** Parameters that are kept when the scaling changes. */
const UNSCALED_PARAMS = ['base', 'layout', 'rotary_fraction'];

function createScalingFields(choice: ScalingChoice, encoding: EncodingSpec): { readonly encoding: EncodingSpec; readonly step: number } {
  const unscaledParams = Object.fromEntries(Object.entries(encoding).filter(([name]) => UNSCALED_PARAMS.includes(name)));
  const scalingParams = choice === 'none' || choice === 'step' ? {} : { scaling: choice, factor: SCALING_FACTOR };
  return { encoding: { id: encoding.id, ...unscaledParams, ...scalingParams }, step: choice === 'step' ? SCALING_FACTOR : 1 };
}

/** Height in px of the sentence and two rows of buttons below the picture (surface.css). */
const CONTROLS_HEIGHT = 160;

const sheet = unsafeCSS(`${choiceRow}${playButton}${style}`);

export function tonesSurface(
  figure: LiveFigure<typeof fields, Tones>,
  { element, width, maxHeight, look, announce, reportError }: SurfaceContainer,
): () => void {
  const requestedSpec = computed(() => {
    const spec = figure.spec.value;
    return spec instanceof SpecError ? figure.computed.value?.spec : spec;
  });
  const results = computed(() => figure.computed.value?.results);
  const scene = computed(() => {
    const currentResults = results.value;
    if (!currentResults || width.value < 40) return undefined;
    const pictureHeight = maxHeight.value === undefined ? undefined : maxHeight.value - CONTROLS_HEIGHT;
    return tonesScene(currentResults, describeTones(currentResults), {
      width: width.value,
      maxHeight: pictureHeight,
      theme: look.value.theme,
    });
  });
  const isPlaying = signal(false);
  /** The pair whose tone has just started. Undefined if all tones sound together. */
  const startedPair = signal<number | undefined>(undefined);
  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  // Rendered only once, because it contains the canvas.
  render(
    html`<div class="room" tabindex="0" role="group" aria-label=${strings.pairsLabel}><div class="strings"></div></div><p class="said"></p><div class="row" role="group" aria-label=${strings.choicesLabel}></div>`,
    element,
  );
  const findElement = (selector: string): HTMLElement => element.querySelector<HTMLElement>(selector) as HTMLElement;
  const stringsElement = findElement('.strings');
  const mountedPicture = mountPicture(stringsElement);

  let player: Player | undefined;
  const stopPlaying = (): void => {
    player?.end();
    player = undefined;
    isPlaying.value = false;
    startedPair.value = undefined;
  };
  const togglePlaying = (): void => {
    if (player) {
      stopPlaying();
      announce(strings.stoppedAnnouncement);
      return;
    }
    const currentResults = results.peek();
    if (!currentResults) return;
    player = createPlayer(currentResults.heardFrequencies, { onToneStart: (pair) => (startedPair.value = pair), onEnd: stopPlaying });
    isPlaying.value = true;
    announce(strings.playingAnnouncement(describeTones(currentResults)));
  };
  const moveCursor = (event: PointerEvent): void => {
    const cursor = scene.peek()?.hit(...getPointerPosition(stringsElement, event));
    if (cursor?.pair !== figure.cursor.peek().pair) figure.cursor.value = cursor ?? {};
  };
  const handleKey = (event: KeyboardEvent): void => {
    const currentScene = scene.peek();
    const currentResults = results.peek();
    const [right, down] = CURSOR_STEPS[event.key] ?? [];
    if (!currentScene || !currentResults || right === undefined || down === undefined || event.altKey || event.ctrlKey || event.metaKey)
      return;
    event.preventDefault();
    const nextCursor = currentScene.step(figure.cursor.peek(), right, down);
    figure.cursor.value = nextCursor;
    announce(describeTone(currentResults, nextCursor.pair ?? 0));
  };
  const abortController = new AbortController();
  const listenerOptions = { signal: abortController.signal };
  stringsElement.addEventListener('pointermove', moveCursor, listenerOptions);
  stringsElement.addEventListener('pointerdown', moveCursor, listenerOptions);
  // Keeps the cursor after a touch.
  const handleLeave = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') figure.cursor.value = {};
  };
  stringsElement.addEventListener('pointerleave', handleLeave, listenerOptions);
  findElement('.room').addEventListener('keydown', handleKey, listenerOptions);
  document.addEventListener('visibilitychange', () => document.hidden && stopPlaying(), listenerOptions);

  const canStretch = !['encoding', 'step'].some((name) => figure.locked.includes(name));
  const hasAudio = typeof AudioContext === 'function';
  let lastFrequencies: Float32Array | undefined;
  const disposers = [
    drawOnChange(() => {
      const currentScene = scene.value;
      if (!currentScene) return;
      const pair = startedPair.value ?? figure.cursor.value.pair;
      const marks = pair === undefined ? currentScene.picture.marks : [...currentScene.picture.marks, ...currentScene.overlay({ pair })];
      mountedPicture.update({ ...currentScene.picture, marks }, { theme: look.value.theme, palette: { ...look.value.palette } });
    }, reportError),
    drawOnChange(() => {
      const currentResults = results.value;
      if (!currentResults) return;
      const pair = startedPair.value ?? figure.cursor.value.pair;
      findElement('.said').textContent =
        pair !== undefined && pair in currentResults.heardFrequencies ? describeTone(currentResults, pair) : describeTones(currentResults);
    }, reportError),
    drawOnChange(() => {
      const currentResults = results.value;
      if (currentResults && lastFrequencies && currentResults.heardFrequencies !== lastFrequencies) {
        // Playing stops if the number of pairs changes.
        if (currentResults.heardFrequencies.length === lastFrequencies.length) player?.glide(currentResults.heardFrequencies);
        else stopPlaying();
      }
      lastFrequencies = currentResults?.heardFrequencies;
    }, reportError),
    drawOnChange(() => {
      const spec = requestedSpec.value;
      if (!spec) return;
      const { encoding, step } = spec;
      const currentChoice: ScalingChoice = step > 1 ? 'step' : ((encoding.scaling ?? 'none') as ScalingChoice);
      const choiceButton = (choice: ScalingChoice) =>
        html`<button type="button" aria-pressed=${choice === currentChoice ? 'true' : 'false'}
          @click=${() => figure.change(createScalingFields(choice, encoding))}>${strings.choices[choice]}</button>`;
      const isSounding = isPlaying.value;
      render(
        html`${
          hasAudio
            ? html`<button type="button" class="play" @click=${togglePlaying}>${isSounding ? STOP_ICON : PLAY_ICON}${isSounding ? strings.stop : strings.listen}</button>`
            : html`<span>${strings.noAudio}</span>`
        }${canStretch ? (Object.keys(strings.choices) as ScalingChoice[]).map(choiceButton) : nothing}`,
        findElement('.row'),
      );
    }, reportError),
  ];
  return () => {
    for (const dispose of disposers) dispose();
    abortController.abort();
    stopPlaying();
    mountedPicture.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
