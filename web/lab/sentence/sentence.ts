// <ph-sentence>: the sentence as tiles that can be dragged or moved by keyboard, with arcs and stripes.
import { effect, signal } from '@preact/signals-core';
import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { placeUnder, WordDrag } from '../../sentence/drag.ts';
import { WordKeys } from '../../sentence/keys.ts';
import { choose, chosen, point, pointed } from '../cursor.ts';
import { LabElement } from '../element.ts';
import { printLink } from '../link.ts';
import { drawSafely } from '../page-error.ts';
import { figure, moveWord, order, state, words } from '../store.ts';
import { type Geometry, measure, sameGeometry, wordAt, wordOf } from './geometry.ts';
import { SentenceOverlay } from './overlay.ts';
import { dimensions, firstPosition, omittedArcs, sizeOf, unknownWords } from './tile-state.ts';
import { travel } from './travel.ts';

export class Sentence extends LabElement {
  private readonly geometry = signal<Geometry>({ width: 0, height: 0, boxes: new Map() });
  private readonly announcement = signal('');
  private overlay: SentenceOverlay | undefined;
  private cleanups: (() => void)[] = [];

  private readonly drag = new WordDrag({
    placeOf: (word) => order.peek().indexOf(word),
    centreOf: (word) => {
      const { x, y, width, height } = this.geometry.peek().boxes.get(word)?.tile ?? { x: 0, y: 0, width: 0, height: 0 };
      return { x: x + width / 2, y: y + height / 2 };
    },
    placeAt: (word, x, y) => {
      const tiles = order.peek().flatMap((one) => this.geometry.peek().boxes.get(one)?.tile ?? []);
      return placeUnder(tiles, order.peek().indexOf(word), x, y);
    },
    move: (from, to) => this.move(from, to),
    shift: (word, x, y) => {
      const face = this.face(word);
      if (face) face.style.transform = `translate(${x}px, ${y}px)`;
    },
    drop: (word) => {
      const face = this.face(word);
      const shift = new DOMMatrix(face?.style.transform || 'none');
      face?.style.removeProperty('transform');
      if (face) travel(face, { x: shift.e, y: shift.f }, { x: 0, y: 0 });
      this.requestUpdate();
    },
  });

  private readonly keys = new WordKeys({
    move: (from, to) => this.move(from, to),
    focus: (place) => this.tile(order.peek()[place] as number)?.focus(),
    announce: (sentence) => {
      this.announcement.value = sentence;
    },
    lift: () => this.requestUpdate(),
  });

  /** Keeps the static arcs of the first picture until computed ones replace them, unless a link shows something else. */
  protected override createRenderRoot(): this {
    if (printLink(state.peek()) === '') this.first = this.querySelector('.first');
    return super.createRenderRoot();
  }

  private first: Element | null = null;

  protected override render() {
    const places = order.value;
    const unknown = unknownWords.value;
    const first = firstPosition.value;
    const tile = (word: number, place: number) => html`
      <li class="tile" role="option" data-word=${word} tabindex=${word === chosen.value ? 0 : -1}
        ?data-lifted=${this.keys.lifted === word || this.drag.dragged === word} ?data-unknown=${unknown.has(word)}
        aria-selected=${word === chosen.value} aria-posinset=${place + 1} aria-setsize=${places.length}
        aria-description=${unknown.has(word) ? 'no word vector known' : nothing}>
        <span class="word">${words.value[word]}</span>
        <span class="stripe" aria-hidden="true"></span>
        <span class="place" aria-hidden="true">${first === undefined ? '' : first + place}</span>
      </li>`;
    return html`
      <div class="sentence-box" data-size=${sizeOf(words.value)}>
        <div class="stage">
          <div class="stripes"></div>
          <div class="arcs"></div>
          <ol class="words" role="listbox" aria-label="Words of the sentence" aria-orientation="horizontal" aria-describedby="sentence-hint"
            @pointerdown=${this.press} @pointermove=${this.follow} @pointerup=${this.release} @pointercancel=${this.release}
            @pointerleave=${this.leave} @keydown=${this.pressKey} @focusin=${this.focused} @focusout=${this.blurred}>
            ${repeat(places, (word) => word, tile)}
          </ol>
        </div>
      </div>
      ${omittedArcs.value ? html`<p class="legend">${omittedArcs.value}</p>` : ''}
      ${unknown.size > 0 ? html`<p class="legend"><span class="unknown-sample">dotted</span>: no word vector known, a fixed random one is used</p>` : ''}
      <p class="visually-hidden" role="status">${this.announcement.value}</p>`;
  }

  protected override firstUpdated(): void {
    const find = (name: string): HTMLElement => this.querySelector<HTMLElement>(name) as HTMLElement;
    if (this.first) find('.stage').prepend(this.first);
    this.overlay = new SentenceOverlay({ arcs: find('.arcs'), stripes: find('.stripes') });
    const observer = new ResizeObserver(() => this.measure());
    observer.observe(find('.stage'));
    void document.fonts.ready.then(() => this.measure());
    this.cleanups = [
      () => observer.disconnect(),
      effect(() => drawSafely(() => this.overlay?.draw(this.geometry.value))),
      effect(() => {
        if (figure.value || printLink(state.value) !== '' || chosen.value !== words.value.length - 1) this.first?.remove();
      }),
      effect(() => this.mark(pointed.value.key)),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.cleanups) end();
  }

  private laidOut: readonly unknown[] = [];
  private marked: HTMLElement | null = null;

  /** Highlights the word that the user points at, without rendering the sentence again. */
  private mark(word: number | undefined): void {
    this.marked?.removeAttribute('data-pointed');
    this.marked = word === undefined ? null : this.tile(word);
    this.marked?.setAttribute('data-pointed', '');
  }

  /** The focused word before an update. */
  private focusedWord: number | undefined;

  protected override willUpdate(): void {
    const tile = document.activeElement?.closest<HTMLElement>('.tile');
    this.focusedWord = tile && this.contains(tile) ? wordOf(tile) : undefined;
  }

  protected override updated(): void {
    // The tiles' layout depends only on these; the observer handles changes of the stage's width.
    const layout = [order.peek(), unknownWords.peek().size, firstPosition.peek()];
    const same = layout.every((value, at) => value === this.laidOut[at]);
    this.laidOut = layout;
    if (!same) this.animateMoves();
    this.drag.show();
  }

  /** Animates words to their new places. */
  private animateMoves(): void {
    const before = this.geometry.peek();
    this.measure();
    for (const [word, { tile }] of this.geometry.peek().boxes) {
      const old = before.boxes.get(word)?.tile;
      const face = this.face(word);
      if (old && face && word !== this.drag.dragged && before.width === this.geometry.peek().width) travel(face, old, tile);
    }
    // A tile that was moved in the DOM has lost the focus.
    if (this.focusedWord !== undefined && document.activeElement === document.body)
      this.tile(this.focusedWord)?.focus({ preventScroll: true });
  }

  private measure(): void {
    const stage = this.querySelector<HTMLElement>('.stage');
    if (!stage) return;
    const next = measure(stage);
    if (!sameGeometry(this.geometry.peek(), next)) this.geometry.value = next;
  }

  private tile(word: number): HTMLElement | null {
    return this.querySelector<HTMLElement>(`.tile[data-word="${word}"]`);
  }

  private face(word: number): HTMLElement | null | undefined {
    return this.tile(word)?.querySelector<HTMLElement>('.word');
  }

  private move(from: number, to: number): void {
    const word = order.peek()[from] as number;
    moveWord(from, to);
    choose(word);
    this.announcement.value = `${words.peek()[word]}: place ${order.peek().indexOf(word) + 1} of ${order.peek().length}`;
  }

  private readonly press = (event: PointerEvent): void => {
    const tile = (event.target as Element).closest<HTMLElement>('.tile');
    if (!tile || event.button !== 0) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    this.keys.drop();
    this.drag.press(wordOf(tile), ...this.onStage(event));
    choose(wordOf(tile));
  };

  private readonly follow = (event: PointerEvent): void => {
    if (this.drag.follow(...this.onStage(event))) {
      point({});
      return;
    }
    const under = wordAt(this.geometry.peek(), ...this.onStage(event));
    const columns = dimensions.peek();
    point({ key: under?.word, dimension: columns > 0 && under?.share !== undefined ? Math.floor(under.share * columns) : undefined });
  };

  private readonly release = (): void => {
    this.drag.release();
    this.requestUpdate();
  };

  private readonly leave = (event: PointerEvent): void => {
    if (event.pointerType !== 'touch') point({});
  };

  private readonly pressKey = (event: KeyboardEvent): void => {
    const tile = (event.target as Element).closest<HTMLElement>('.tile');
    if (tile) this.keys.press(event, wordOf(tile), order.peek(), words.peek());
  };

  private readonly focused = (event: FocusEvent): void => {
    const tile = (event.target as Element).closest<HTMLElement>('.tile');
    if (tile) choose(wordOf(tile));
  };

  private readonly blurred = (event: FocusEvent): void => {
    // Without a related target the tile was only moved in the DOM.
    if (event.relatedTarget !== null) this.keys.drop();
  };

  private onStage({ clientX, clientY }: PointerEvent): [number, number] {
    const { left, top } = (this.querySelector('.stage') as Element).getBoundingClientRect();
    return [clientX - left, clientY - top];
  }
}
