// <phasor-figure kind="similarity" encoding="rope" length="128" group="a">: one figure. Attributes are its fields; `lock` and `controls` say what the
// reader may change, and `compact` leaves only the picture. What stands inside it, such as a still picture, is seen until there are numbers.
// Everything of its own is private (#): frameworks set whatever property has the name of an attribute, and fields may have any name.
import { SignalWatcher } from '@lit-labs/preact-signals';
import { effect, type ReadonlySignal, type Signal, signal, untracked } from '@preact/signals-core';
import { LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { Tensor } from '../engine/index.ts';
import type { Picture } from '../views/picture.ts';
import { attributeFields, changedFields, hasStill, isSetting, settingsOf, stillWidth } from './attributes.ts';
import { type Computed, createFigure, type Figure } from './controller.ts';
import { FileDrop } from './drop.ts';
import style from './element.css?inline';
import type { FigureElementState, FigureSpec, PhasorFigureElement } from './element-types.ts';
import type { Language } from './kind.ts';
import { kindSurface } from './kind-surface.ts';
import { oneByOne } from './one-by-one.ts';
import { lookAround, themeOfComing } from './page-look.ts';
import { pictureSurface, type Surface } from './picture-surface.ts';
import type { PageServices, Services } from './services.ts';
import { type Given, printSpec, readSpec, SpecError } from './spec.ts';
import { StandIn } from './stand-in.ts';
import { csvOf } from './take-away/csv.ts';
import { pngOf, svgOf } from './take-away/image.ts';
import { loadPrograms, programsAreHere } from './take-away/programs.ts';
import { type Look, plainLook } from './theme.ts';
import { figureTemplate, viewState } from './view.ts';
import { WORDS } from './words.ts';

/** Two screens from the edge of the window, or of what scrolls inside it, where browsers can tell (given both, they would add up). */
const NEAR = '200% 0px';
const NEARBY: IntersectionObserverInit & { readonly scrollMargin?: string } =
  'scrollMargin' in IntersectionObserver.prototype ? { scrollMargin: NEAR } : { rootMargin: NEAR };
/** The width of a picture that is taken from a figure without a place on the screen, px. */
const UNSEEN = 640;

let page: PageServices;

const FigureBase = SignalWatcher(LitElement);

export class PhasorFigure extends FigureBase implements PhasorFigureElement {
  static override styles = unsafeCSS(style);

  readonly #view = viewState();
  readonly #look: Signal<Look> = signal(plainLook('light'));
  readonly #files = new FileDrop(
    this,
    () => this.#view.figure.peek(),
    (figure, field) => this.#changed(figure, field),
  );
  readonly #standIn = new StandIn();
  readonly #attributes: MutationObserver;
  readonly #sight: IntersectionObserver;
  /** What attributes, programs and the reader have said; read from attributes when it is first needed. */
  #given: Given | undefined;
  #services: Services | undefined;
  /** What the browser said last; the figure follows when its turn comes. */
  #isNear = false;
  #surface: Surface | undefined;
  #endLook: () => void = () => {};
  #endFigure: () => void = () => {};
  /** Called when there is a figure to wait for. */
  #arrive: () => void = () => {};
  #arrived = this.#awaitPage();
  /** Settled when the kind is here, or could not be fetched. */
  #coming: Promise<void> | undefined;

  constructor() {
    super();
    // Attributes cannot be listed beforehand: parameters of encodings are among them.
    this.#attributes = new MutationObserver((changes) => this.#follow(changes));
    this.#attributes.observe(this, { attributes: true });
    this.#sight = new IntersectionObserver((entries) => {
      this.#isNear = entries.at(-1)?.isIntersecting ?? false;
      if (!this.#isNear) this.#view.near.value = false;
      else if (!this.#view.near.peek())
        oneByOne(() => {
          this.#view.near.value = this.#isNear;
        });
    }, NEARBY);
    // Set by a program before this script was there.
    if (Object.hasOwn(this, 'spec')) {
      const { spec } = this;
      Reflect.deleteProperty(this, 'spec');
      this.spec = spec;
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moved within the page: nothing begins anew.
    if (this.#services) return;
    this.#catchUp();
    this.#services = page.acquire();
    this.#sight.observe(this);
    this.#begin();
    themeOfComing(this, (theme) => this.#setTheme(theme));
    // Far from sight there is a frame of words and nothing else.
    this.#endLook = effect(() => {
      if (!this.#view.near.value) return;
      this.#view.met.value = true;
      this.#resolveLook();
      untracked(() => this.#showPicture());
    });
    this.#arrive();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // An element that is moved is taken out and put back at once.
    queueMicrotask(() => {
      if (!this.isConnected) this.#leave();
    });
  }

  adoptedCallback(): void {
    this.#leave();
  }

  get state(): FigureElementState {
    this.#catchUp();
    return this.#stateNow();
  }

  /** The figure itself, for pages of this site: undefined until the element is in the page, another one for another kind. */
  get live(): ReadonlySignal<Figure | undefined> {
    return this.#view.figure;
  }

  get spec(): FigureSpec {
    this.#catchUp();
    const id = this.getAttribute('kind') ?? '';
    const figure = this.#view.figure.peek();
    const kind = figure?.kind ?? page.kinds.get(id);
    const given = figure?.given.peek() ?? this.#said();
    if (!kind) return { ...given, kind: id };
    try {
      return { ...readSpec(kind, given), kind: id };
    } catch (thrown) {
      if (thrown instanceof SpecError) return { ...given, kind: id };
      throw thrown;
    }
  }

  set spec(spec: FigureSpec) {
    const { kind, ...fields } = spec ?? {};
    this.#attributes.takeRecords();
    this.#given = fields;
    if (typeof kind === 'string') this.setAttribute('kind', kind);
    this.#attributes.takeRecords();
    this.#begin({ keepReader: false });
  }

  get ready(): Promise<void> {
    return this.#ready();
  }

  numbers(): { readonly [name: string]: Tensor } {
    const { kind, numbers, spec } = this.#current();
    return Object.fromEntries(kind.tables(numbers, spec).map(({ name, tensor }) => [name, tensor]));
  }

  toSVG(): string {
    return svgOf(this.#picture(), this.#look.peek().palette);
  }

  async toPNG(scale = 1): Promise<Blob> {
    return pngOf(this.#picture(), this.#look.peek().palette, scale);
  }

  toCSV(): string {
    const { kind, numbers, spec } = this.#current();
    return csvOf(kind.tables(numbers, spec));
  }

  code(language: Language): string {
    const { kind, spec, numbers } = this.#current();
    return kind.code(spec, this.#view.figure.peek()?.encodings.peek() ?? [], numbers)[language];
  }

  #awaitPage(): Promise<void> {
    return new Promise((resolve) => {
      this.#arrive = resolve;
    });
  }

  async #ready(): Promise<void> {
    for (;;) {
      await this.#arrived;
      this.#catchUp();
      await this.#coming;
      const { unknown, figure: current, broken } = this.#view;
      const problem = unknown.peek();
      if (problem) throw problem;
      const figure = current.peek();
      try {
        await figure?.ready();
        await loadPrograms();
        await this.updateComplete;
        if (current.peek() !== figure) continue;
        const fault = broken.peek();
        if (fault !== undefined) throw new Error(fault);
        return;
      } catch (thrown) {
        // Another kind or group was asked for meanwhile: that is what is waited for.
        if (current.peek() === figure || !this.isConnected) throw thrown;
      }
    }
  }

  #stateNow(): FigureElementState {
    const { unknown, broken, figure } = this.#view;
    if (unknown.value || broken.value !== undefined) return 'failed';
    const state = figure.value?.state.value ?? 'idle';
    // A figure that is ready answers `code` at once. Its picture is there before.
    return state === 'ready' && !programsAreHere.value ? 'computing' : state;
  }

  #current(): Computed & { readonly kind: Figure['kind'] } {
    this.#catchUp();
    const { figure, latest, problem } = this.#view;
    const kind = figure.peek()?.kind;
    const numbers = latest.peek();
    if (!kind || !numbers) throw new Error(problem.peek() ?? WORDS.waiting);
    return { kind, ...numbers };
  }

  #picture(): Picture {
    const { kind, numbers, spec } = this.#current();
    if (!this.#view.near.peek()) this.#resolveLook();
    const scene = this.#surface?.scene.peek() ?? kind.scene(numbers, spec, { width: UNSEEN, theme: this.#look.peek().theme });
    return scene.picture;
  }

  /** What is said, from attributes if nothing was read yet. */
  #said(): Given {
    if (this.#given === undefined) {
      this.#attributes.takeRecords();
      this.#given = attributeFields(this);
    }
    return this.#given;
  }

  /** Takes attributes into account that were set just now. */
  #catchUp(): void {
    this.#follow(this.#attributes.takeRecords());
  }

  #follow(changes: readonly MutationRecord[]): void {
    const names = [...new Set(changes.map(({ attributeName }) => attributeName ?? ''))];
    if (names.length === 0 || this.#given === undefined) return;
    const figure = this.#view.figure.peek();
    if (names.includes('kind') && this.getAttribute('kind') !== figure?.kind.id) {
      // What was said about the other kind ends with it, except what attributes say.
      this.#given = attributeFields(this);
      this.#begin({ keepReader: false });
      return;
    }
    const fields = changedFields(this, names);
    // Most changes are our own, of data-state and data-theme.
    if (Object.keys(fields).length > 0) {
      this.#given = { ...this.#given, ...fields };
      figure?.give(fields);
    }
    if (names.includes('group') || names.includes('lock')) this.#begin();
    else if (names.some(isSetting)) this.#view.settings.value = settingsOf(this);
  }

  #resolveLook(): void {
    this.#look.value = lookAround(this, this.renderRoot);
    this.#setTheme(this.#look.peek().theme);
  }

  #setTheme(theme: Look['theme']): void {
    if (this.dataset.theme !== theme) this.dataset.theme = theme;
  }

  /** Makes the figure that attributes, programs and the reader describe. */
  #begin({ keepReader = true } = {}): void {
    this.#stop({ keepReader });
    const services = this.#services;
    if (!services) return;
    const { figure, unknown, broken, settings } = this.#view;
    const given = this.#said();
    const id = this.getAttribute('kind') ?? '';
    const kind = page.kinds.get(id);
    const isComing = !kind && page.kinds.ids.includes(id);
    if (isComing) this.#load(id);
    settings.value = settingsOf(this);
    broken.value = undefined;
    unknown.value = kind || isComing ? undefined : new SpecError('kind', WORDS.unknownKind(id, page.kinds.ids));
    const name = this.getAttribute('group') ?? undefined;
    const made = kind && createFigure(kind, { given, services, locked: settings.peek().lock, group: services.group(name) });
    figure.value = made;
    const ends = [
      // Other numbers may be drawn all the same.
      effect(() => {
        if (made?.computed.value) broken.value = undefined;
      }),
      effect(() => {
        if (made) made.active.value = this.#view.near.value;
      }),
      effect(() => this.#reflect(this.#stateNow())),
      effect(() => {
        if (made?.state.value === 'ready') void loadPrograms();
      }),
    ];
    this.#endFigure = () => {
      for (const end of ends) end();
      made?.dispose();
      services.leave(name);
    };
  }

  /** Fetches a kind, and begins when it is here, unless another was asked for since. */
  #load(id: string): void {
    const isWanted = (): boolean => this.getAttribute('kind') === id;
    this.#coming = page.kinds.load(id).then(
      () => {
        if (isWanted()) this.#begin();
      },
      (thrown: unknown) => {
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        if (isWanted()) this.#view.unknown.value = new SpecError('kind', WORDS.noKind(id, why));
      },
    );
  }

  #reflect(state: FigureElementState): void {
    if (this.dataset.state === state) return;
    this.dataset.state = state;
    if (state !== 'ready') return;
    // After what else follows from the numbers: listeners may take the picture, or set another spec.
    void this.updateComplete.then(() => {
      if (this.dataset.state === 'ready') this.dispatchEvent(new CustomEvent('phasor-ready', { bubbles: true, composed: true }));
    });
  }

  /** `keepReader`: what the reader has set stays. */
  #stop({ keepReader = true } = {}): void {
    const { figure } = this.#view;
    if (keepReader) this.#given = figure.peek()?.given.peek() ?? this.#given;
    this.#surface?.dispose();
    this.#surface = undefined;
    this.#endFigure();
    this.#endFigure = () => {};
    figure.value = undefined;
  }

  /** Lets go of everything that belongs to the page. */
  #leave(): void {
    if (!this.#services) return;
    this.#catchUp();
    this.#sight.disconnect();
    this.#isNear = false;
    this.#view.near.value = false;
    this.#endLook();
    this.#stop();
    this.dataset.state = 'idle';
    this.#services.release();
    this.#services = undefined;
    this.#arrived = this.#awaitPage();
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const before = this.#standIn.adopt(this.shadowRoot);
    const root = super.createRenderRoot();
    if (before) this.renderOptions.renderBefore = before;
    return root;
  }

  protected override updated(): void {
    untracked(() => this.#showPicture());
  }

  #showPicture(): void {
    const { figure: current, latest, settings, near, spoken, readout, broken } = this.#view;
    const figure = current.peek();
    if (!figure || this.#surface || !this.isConnected || !(near.peek() || latest.peek())) return;
    const host = this.renderRoot?.querySelector<HTMLElement>('.surface');
    if (!host) return;
    if (!near.peek()) this.#resolveLook();
    const announce = (sentence: string): void => {
      spoken.value = sentence;
    };
    const options = {
      figure,
      look: this.#look,
      settings,
      most: stillWidth(this),
      known: this.#standIn.width,
      broken: (thrown: unknown) => {
        console.error(thrown);
        broken.value = WORDS.broken(thrown instanceof Error ? thrown.message : String(thrown));
      },
    };
    const change = (fields: Given): void => {
      figure.change(fields);
      for (const name of Object.keys(fields)) this.#changed(figure, name);
    };
    this.#surface = figure.kind.surface
      ? kindSurface(host, { ...options, locked: settings.peek().lock, change, announce })
      : pictureSurface(host, {
          ...options,
          near,
          locked: settings.peek().lock,
          change,
          stepped: () => announce(readout.peek()),
          refused: () => announce(WORDS.cannotSet),
        });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { latest, problem } = this.#view;
    if (this.#standIn.waits(latest.value !== undefined || problem.value !== undefined)) return nothing;
    return figureTemplate(
      this.#view,
      { source: this, changed: (figure, field) => this.#changed(figure, field), bring: (figure) => this.#files.part(figure) },
      hasStill(this),
    );
  }

  #changed(figure: Figure, field: string): void {
    const spec = figure.spec.peek();
    const detail = { field, spec: this.spec, ...(spec instanceof SpecError ? {} : { text: printSpec(figure.kind, spec) }) };
    this.dispatchEvent(new CustomEvent('phasor-change', { bubbles: true, composed: true, detail }));
  }
}

/** Defines the element for this page, with the engine and the words of `services`. */
export function defineFigure(services: PageServices): void {
  page = services;
  if (!customElements.get('phasor-figure')) customElements.define('phasor-figure', PhasorFigure);
}
