// Handlers for pointer and keyboard. Tiles and the bar are dragged along the line, hands around the dial. Arrow keys
// move the focused handle. A click above the bar moves the query, a click below it the key, and a click level with it
// the handle that moved last.
import type { ReadonlySignal } from '@preact/signals-core';
import type { Rotation } from '../../compute/rotation.ts';
import type { LiveFigure } from '../../contract/kind.ts';
import { getPageScale, getPointerPosition } from '../../surface/pointer-place.ts';
import type { fields } from './fields.ts';
import type { RotationLayout } from './layout.ts';
import type { Positions } from './motion.ts';
import { createMoves, type Moves } from './moves.ts';
import type { Handle } from './picture.ts';

export interface HandlesOptions {
  readonly figure: LiveFigure<typeof fields, Rotation>;
  readonly layout: ReadonlySignal<RotationLayout | undefined>;
  canMove(handle: Handle): boolean;
  announce(sentence: string): void;
}

/** Minimum pointer movement of a drag, in CSS px. Shorter movements are clicks. */
const MIN_DRAG_DISTANCE = 3;
const KEY_STEPS: { readonly [key: string]: number } = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

export function attachHandles(stage: HTMLElement, { figure, layout, canMove, announce }: HandlesOptions): Moves {
  const moves = createMoves(figure, announce);
  const findHandle = (target: EventTarget | null): Handle | undefined =>
    (target instanceof Element ? target.closest<HTMLElement>('[data-held]')?.dataset.held : undefined) as Handle | undefined;
  const findSlider = (handle: Handle) => stage.querySelector<HTMLElement>(`[role="slider"][data-held="${handle}"]`);
  /** The handle that moved last. A click level with the bar moves it. */
  let lastHandle: 'query' | 'key' = 'query';
  let currentDrag:
    | {
        readonly draggedHandle: Handle;
        readonly startPositions: Positions;
        readonly x: number;
        readonly y: number;
        /** Returns the movement in positions, along the line or around the dial. */
        measureDistance(event: PointerEvent): number;
        hasMoved: boolean;
      }
    | undefined;

  /** Drags a hand around the dial. Returns a function that converts the accumulated angle to a movement in positions. */
  function startAngularDrag(event: PointerEvent): (event: PointerEvent) => number {
    const results = figure.computed.peek()?.results;
    const dial = layout.peek()?.dial;
    const anglePerPosition = results?.anglePerPosition?.[moves.displayedView.peek()?.pair ?? 0];
    if (!dial || !anglePerPosition) return () => 0;
    const computeDirection = (pointerEvent: PointerEvent): number => {
      const [x, y] = getPointerPosition(stage, pointerEvent);
      return Math.atan2(dial.cy - y, x - dial.cx);
    };
    let lastDirection = computeDirection(event);
    let totalRotation = 0;
    return (moveEvent) => {
      const direction = computeDirection(moveEvent);
      totalRotation += Math.atan2(Math.sin(direction - lastDirection), Math.cos(direction - lastDirection));
      lastDirection = direction;
      return totalRotation / anglePerPosition;
    };
  }
  const startLinearDrag = (event: PointerEvent): ((event: PointerEvent) => number) => {
    const startX = event.clientX;
    return (moveEvent) => (moveEvent.clientX - startX) / getPageScale(stage) / (layout.peek()?.line.pitch || 1);
  };
  const handlePointerDown = (event: PointerEvent): void => {
    const handle = findHandle(event.target);
    if (!handle || event.button !== 0 || !event.isPrimary) return;
    const draggedHandle = event.shiftKey ? 'both' : handle;
    if (!canMove(draggedHandle)) return;
    // Prevents text selection, which would remove the focus.
    event.preventDefault();
    const isKnob = (event.target as Element).classList.contains('knob');
    findSlider(handle)?.focus({ preventScroll: true });
    stage.setPointerCapture(event.pointerId);
    if (handle !== 'both') lastHandle = handle;
    const measureDistance = isKnob ? startAngularDrag(event) : startLinearDrag(event);
    currentDrag = {
      draggedHandle,
      startPositions: moves.beginMove(),
      x: event.clientX,
      y: event.clientY,
      measureDistance,
      hasMoved: false,
    };
  };
  const handlePointerMove = (event: PointerEvent): void => {
    if (!currentDrag) return;
    currentDrag.hasMoved ||= Math.hypot(event.clientX - currentDrag.x, event.clientY - currentDrag.y) >= MIN_DRAG_DISTANCE;
    if (currentDrag.hasMoved) moves.drag(currentDrag.draggedHandle, currentDrag.startPositions, currentDrag.measureDistance(event));
  };
  const handlePointerUp = (event: PointerEvent): void => {
    if (!currentDrag) return;
    const { draggedHandle, startPositions, hasMoved } = currentDrag;
    currentDrag = undefined;
    stage.releasePointerCapture(event.pointerId);
    if (hasMoved) moves.drop(draggedHandle, startPositions);
  };
  const handleClick = (event: MouseEvent): void => {
    const currentLayout = layout.peek();
    if (!currentLayout || !(event.target as Element).classList.contains('line')) return;
    const [x, y] = getPointerPosition(stage, event);
    const { line } = currentLayout;
    const draggedHandle = y < line.y - line.barHeight / 2 ? 'query' : y > line.y + line.barHeight / 2 ? 'key' : lastHandle;
    if (!canMove(draggedHandle)) return;
    lastHandle = draggedHandle;
    moves.moveTo(draggedHandle, line.startPosition + Math.round((x - line.x) / (line.pitch || 1)));
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const handle = findHandle(event.target);
    if (!handle || event.altKey || event.ctrlKey || event.metaKey) return;
    const draggedHandle = event.shiftKey ? 'both' : handle;
    const [first, end] = moves.range.peek();
    const stepDistance = event.key === 'Home' ? first - end : event.key === 'End' ? end - first : KEY_STEPS[event.key];
    if (stepDistance === undefined) return;
    event.preventDefault();
    if (!canMove(draggedHandle)) return;
    if (handle !== 'both') lastHandle = handle;
    moves.step(draggedHandle, stepDistance);
  };
  const abortController = new AbortController();
  const listenerOptions = { signal: abortController.signal };
  stage.addEventListener('pointerdown', handlePointerDown, listenerOptions);
  stage.addEventListener('pointermove', handlePointerMove, listenerOptions);
  stage.addEventListener('pointerup', handlePointerUp, listenerOptions);
  stage.addEventListener('pointercancel', handlePointerUp, listenerOptions);
  stage.addEventListener('click', handleClick, listenerOptions);
  stage.addEventListener('keydown', handleKeyDown, listenerOptions);
  return {
    ...moves,
    end() {
      abortController.abort();
      moves.end();
    },
  };
}
