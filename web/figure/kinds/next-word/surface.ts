// Renders the words as tiles that the user can drag or move with the keyboard, and the content below them.
import { computed, effect, signal } from '@preact/signals-core';
import { html, nothing, render, type TemplateResult, unsafeCSS } from 'lit';
import { mountPicture } from '../../../charts/render/screen.ts';
import { splitSentence } from '../../compute/sentence-fields.ts';
import type { LiveFigure, SurfaceContainer } from '../../contract/kind.ts';
import { SpecError } from '../../contract/spec.ts';
import { drawOnChange } from '../../runtime/scene-source.ts';
import { startDemonstration } from '../../words/demonstration.ts';
import { createDragHandlers, createWordMoves } from '../../words/drag.ts';
import show from '../../words/show.css?inline';
import { paintTile, ReadingOrder, renderTileList, renderTiles } from '../../words/tiles.ts';
import { AnimatedResults, GLIDE_MS } from '../../words/travel.ts';
import style from '../../words/words.css?inline';
import { type NextWordActions, renderContent, suggestWordIndex } from './below.ts';
import type { fields, Results } from './compute.ts';
import { createRestingStates, createStaticPicture, layoutNextWord, movingMarks, type WordState, wordCursorAt } from './picture.ts';
import { strings } from './strings.ts';

/** Font size in px below which the words scroll. */
const MIN_FONT_SIZE = 20;
const sheet = unsafeCSS(style + show);

export function nextWordSurface(
  figure: LiveFigure<typeof fields, Results>,
  { element, width, maxHeight, look, announce, reportError }: SurfaceContainer,
): () => void {
  /** Incremented to trigger a redraw when a word is lifted or dragged, because no other signal changes. */
  const tileChanges = signal(0);
  const isAboutOpen = signal(false);
  const notifyTileChange = (): void => {
    tileChanges.value += 1;
  };
  const requestedSpec = computed(() => {
    const spec = figure.spec.value;
    return spec instanceof SpecError ? figure.computed.value?.spec : spec;
  });
  const sentence = computed(() => {
    const spec = requestedSpec.value;
    return spec && splitSentence(spec.text, spec.order);
  });
  /** The latest result, or undefined if the words have changed since. */
  const latestResult = computed(() => {
    const result = figure.computed.value;
    return result?.results.words.join(' ') === sentence.value?.words.join(' ') ? result : undefined;
  });
  const layout = computed(() => {
    const currentSentence = sentence.value;
    if (!currentSentence || width.value < 40) return undefined;
    return layoutNextWord(
      currentSentence.order.map((word) => currentSentence.words[word] as string),
      { width: width.value, maxHeight: maxHeight.value },
    );
  });
  const moves = createWordMoves(figure, sentence, announce);
  const findElement = (name: string): HTMLElement => element.querySelector<HTMLElement>(name) as HTMLElement;
  const reducedMotionQuery = matchMedia('(prefers-reduced-motion: reduce)');

  /** Animates three values per word: left edge, top edge and weight. */
  const animatedWords = new AnimatedResults(() => paint());
  let draggedWord: { readonly word: number; readonly x: number; readonly y: number } | undefined;
  let moveDuration = GLIDE_MS;
  let layoutKey = '';
  const tileDragHandlers = createDragHandlers({
    element,
    sentence,
    layout,
    moves,
    findPart: findElement,
    announce,
    onTilesChange: notifyTileChange,
    cursorAt: (x, y) => layout.peek() && wordCursorAt(layout.peek() as NonNullable<typeof layout.value>, x, y),
    carry(word, x, y) {
      draggedWord = { word, x, y };
      paint();
    },
    drop(word) {
      if (draggedWord) animatedWords.jumpTo(3 * word, [draggedWord.x, draggedWord.y], reducedMotionQuery.matches ? 0 : moveDuration);
      draggedWord = undefined;
      paint();
    },
  });
  const { drag, keys, handlers } = tileDragHandlers;
  const readingOrder = new ReadingOrder();

  function paint(): void {
    const currentLayout = layout.peek();
    const currentSentence = sentence.peek();
    const drawnPicture = latestResult.peek();
    if (!currentLayout || !currentSentence) return;
    const { theme } = look.peek();
    const wordStates = currentSentence.words.map((_, word): WordState => {
      const { values } = animatedWords;
      const isDragged = draggedWord?.word === word;
      const corner = isDragged && draggedWord ? draggedWord : { x: values[3 * word] ?? 0, y: values[3 * word + 1] ?? 0 };
      return { x: corner.x, y: corner.y, weight: values[3 * word + 2] ?? Number.NaN, isDragged };
    });
    for (const tile of element.querySelectorAll<HTMLElement>('.tile')) {
      const state = wordStates[Number(tile.dataset.word)];
      if (state) paintTile(tile, state, theme, drawnPicture !== undefined);
    }
    if (!drawnPicture) return;
    const staticPicture = createStaticPicture(drawnPicture.results, currentLayout, theme);
    const animatedMarks = movingMarks(drawnPicture.results, currentLayout, wordStates, currentSentence.order, wordAtCursor(), theme);
    mountedPicture.update({ ...staticPicture, marks: [...animatedMarks, ...staticPicture.marks] }, { ...look.peek() });
  }

  /** Returns the original index of the word at the cursor. */
  const wordAtCursor = (): number | undefined => {
    const { key } = figure.cursor.peek();
    return key === undefined ? undefined : sentence.peek()?.order[key];
  };

  function tiles(): TemplateResult | typeof nothing {
    const currentSentence = sentence.value;
    const currentLayout = layout.value;
    if (!currentSentence || !currentLayout) return nothing;
    const parts = {
      ...currentSentence,
      layout: currentLayout,
      hasWeights: false,
      selectedWord: moves.selectedWord.value ?? currentSentence.order.at(-1),
      liftedWord: keys.liftedWord,
      draggedWord: drag.draggedWord,
      pointedPosition: figure.cursor.value.key,
      isUnknown: () => false,
      weightText: () => undefined,
    };
    return renderTileList(parts, readingOrder, currentLayout.height, handlers);
  }

  const actions: NextWordActions = {
    chooseEncoding: (id) => figure.change({ encoding: { id } }),
    moveWord: (word) => moves.move(moves.getOrder().indexOf(word), 1),
    resetOrder: moves.reset,
    setText: (text) => figure.change({ text, order: [] }),
    toggleAbout() {
      isAboutOpen.value = !isAboutOpen.peek();
    },
  };

  const sheets = (element.getRootNode() as ShadowRoot).adoptedStyleSheets;
  sheets.push(sheet.styleSheet as CSSStyleSheet);
  // Renders the stage only once, because it contains the canvas.
  render(html`<div class="stage"><div class="drawing"></div><div class="overlay"></div></div><div class="show short"></div>`, element);
  const mountedPicture = mountPicture(findElement('.drawing'));
  const demonstration = startDemonstration(findElement('.show'), {
    moves,
    reducedMotionQuery,
    runSlowly(move, duration) {
      moveDuration = duration;
      move();
      moveDuration = GLIDE_MS;
    },
    startPosition: suggestWordIndex,
    endPosition: () => 1,
  });
  const disposers = [
    drawOnChange(() => {
      void tileChanges.value;
      const currentLayout = layout.value;
      const stage = findElement('.stage');
      stage.classList.toggle('long', currentLayout !== undefined && currentLayout.fontSize < MIN_FONT_SIZE);
      stage.classList.toggle('large', currentLayout?.largeTileSizes !== undefined);
      renderTiles(tiles(), findElement('.overlay'));
      void figure.cursor.value;
      paint();
    }, reportError),
    drawOnChange(() => {
      const currentLayout = layout.value;
      const currentSentence = sentence.value;
      const drawnPicture = latestResult.value;
      void look.value;
      if (!currentLayout || !currentSentence) return;
      const newLayoutKey = [currentLayout.width, currentLayout.fontSize, requestedSpec.value?.text].join();
      const wordStates = drawnPicture ? createRestingStates(currentLayout, currentSentence.order, drawnPicture.results) : [];
      const targetValues = currentSentence.words.flatMap((_, word) => {
        const { x = 0, y = 0 } = currentLayout.tiles[currentSentence.order.indexOf(word)]?.word ?? {};
        return [x, y, wordStates[word]?.weight ?? Number.NaN];
      });
      animatedWords.animateTo(targetValues, newLayoutKey === layoutKey && !reducedMotionQuery.matches ? moveDuration : 0);
      layoutKey = newLayoutKey;
      paint();
    }, reportError),
    drawOnChange(() => {
      const drawnPicture = latestResult.value;
      const spec = requestedSpec.value;
      const currentSentence = sentence.value;
      if (!spec || !currentSentence) return;
      const contentState = {
        ...currentSentence,
        spec,
        results: drawnPicture?.results,
        locked: figure.locked,
        canMove: !moves.isLocked,
        isAboutOpen: isAboutOpen.value,
      };
      render(renderContent(contentState, actions), findElement('.show'));
      if (drawnPicture) demonstration.ready();
    }, reportError),
    effect(() => {
      const drawnPicture = latestResult.value;
      const [likeliest] = drawnPicture?.results.guesses ?? [];
      if (drawnPicture && likeliest)
        moves.announceMove(drawnPicture.results, strings.guessesReadout(strings.guessLabel(likeliest.word, likeliest.probability)));
    }),
  ];
  return () => {
    for (const dispose of disposers) dispose();
    demonstration.end();
    tileDragHandlers.end();
    animatedWords.end();
    mountedPicture.dispose();
    render(nothing, element);
    sheets.splice(sheets.indexOf(sheet.styleSheet as CSSStyleSheet), 1);
  };
}
