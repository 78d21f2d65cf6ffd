// <phasor-figure kind="similarity" encoding="rope" length="128" group="a">: one figure. Attributes are its fields; `lock` and `controls` say what the
// reader may change, and `compact` leaves only the picture. What stands inside it, such as a still picture, is seen until there are numbers.
import { SignalWatcher } from '@lit-labs/preact-signals';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals-core';
import { html, LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import type { Tensor } from '../engine/index.ts';
import { capital, formatNumber } from '../views/number.ts';
import type { Picture } from '../views/picture.ts';
import { type Computed, createFigure, type Figure } from './controller.ts';
import { controlsOf } from './controls.ts';
import style from './element.css?inline';
import { holds, type Language, type Proof } from './kind.ts';
import { pageLook } from './page-look.ts';
import { pictureSurface, type Surface } from './picture-surface.ts';
import { kinds } from './registry.ts';
import type { PageServices, Services } from './services.ts';
import { camel, type Given, printSpec, SpecError } from './spec.ts';
import { tableTwin } from './table-twin.ts';
import { csvOf } from './take-away/csv.ts';
import { pngOf, svgOf } from './take-away/image.ts';
import { takeAway } from './take-away/menu.ts';
import { type Look, lookOf } from './theme.ts';
import { WORDS } from './words.ts';

/** Attributes that are about the element and not about the figure. */
const RESERVED = /^(kind|group|lock|controls|compact|max-height|class|id|style|hidden|lang|dir|title|slot|part|role|tabindex|nonce|is|exportparts|inert|data-.*|aria-.*|on.*)$/;
const NAMES = ['group', 'lock', 'controls', 'max-height'];

const words = (text: string | null): string[] => (text ?? '').split(/[\s,]+/).filter(Boolean);

/** Distance from the window within which figures compute: two screens. */
const NEAR = '200% 0px';

export class PhasorFigure extends SignalWatcher(LitElement) {
  static override styles = unsafeCSS(style);
  /** Set by defineFigure. */
  static page: PageServices;

  private readonly figure: Signal<Figure | undefined> = signal(undefined);
  private readonly unknown = signal<SpecError | undefined>(undefined);
  private readonly broken = signal<string | undefined>(undefined);
  private readonly look = signal<Look>(lookOf(() => '', 'light'));
  private readonly maxHeight = signal<number | undefined>(undefined);
  private readonly settings = signal<{ readonly lock: string[]; readonly controls: string[] | undefined }>({ lock: [], controls: undefined });
  /** Opened parts, which are made when they are seen. */
  private readonly open = signal<ReadonlySet<string>>(new Set());
  private readonly spoken = signal('');
  private given: Given = {};
  private services: Services | undefined;
  private surface: Surface | undefined;
  private ends: (() => void)[] = [];
  /** Called when the element is in a page: there is a figure to wait for. */
  private arrive: () => void = () => {};
  private arrived: Promise<void> = this.awaitPage();

  private readonly latest: ReadonlySignal<Computed | undefined> = computed(() => this.figure.value?.computed.value);
  private readonly problem: ReadonlySignal<string | undefined> = computed(
    () => this.unknown.value?.message ?? this.broken.value ?? this.figure.value?.failure.value?.message,
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.services = PhasorFigure.page.acquire();
    const attributes = new MutationObserver((changes) => this.follow(changes.map(({ attributeName }) => attributeName ?? '')));
    attributes.observe(this, { attributes: true });
    const { version, preferred } = pageLook(this.ownerDocument);
    this.ends = [
      () => attributes.disconnect(),
      effect(() => {
        void version.value;
        this.resolveLook(preferred.value);
      }),
    ];
    this.given = { ...this.attributeFields(), ...this.given };
    this.begin();
    this.arrive();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
    for (const end of this.ends) end();
    this.services?.release();
    this.services = undefined;
    this.arrived = this.awaitPage();
  }

  /** 'idle' | 'computing' | 'ready' | 'failed', also in the attribute data-state. */
  get state(): Figure['state']['value'] {
    return this.unknown.peek() || this.broken.peek() ? 'failed' : (this.figure.peek()?.state.peek() ?? 'idle');
  }

  /** Everything that is said about the figure: its kind and its fields, with defaults. Assigning replaces all fields. */
  get spec(): Given {
    const figure = this.figure.peek();
    const spec = figure?.spec.peek();
    return { kind: this.getAttribute('kind') ?? '', ...(spec instanceof SpecError ? figure?.given.peek() : spec) };
  }

  set spec({ kind, ...fields }: Given) {
    this.given = fields;
    if (typeof kind === 'string' && kind !== this.getAttribute('kind')) this.setAttribute('kind', kind);
    else if (this.isConnected) this.begin();
  }

  /** Resolves when the figure shows the numbers of its spec; rejects with one sentence. Computes even far from sight. */
  get ready(): Promise<void> {
    return this.arrived.then(async () => {
      if (this.unknown.peek()) throw this.unknown.peek();
      await this.figure.peek()?.ready();
      await this.updateComplete;
    });
  }

  /** The numbers by name: { shape, data }. */
  numbers(): { readonly [name: string]: Tensor } {
    const { kind, numbers, spec } = this.current();
    return Object.fromEntries(kind.tables(numbers, spec).map(({ name, tensor }) => [name, tensor]));
  }

  /** The picture as it is on the screen, without the cursor. */
  toSVG(): string {
    return svgOf(this.picture(), this.look.peek().palette);
  }

  toPNG(scale = 1): Promise<Blob> {
    return pngOf(this.picture(), this.look.peek().palette, scale);
  }

  toCSV(): string {
    const { kind, numbers, spec } = this.current();
    return csvOf(kind.tables(numbers, spec));
  }

  /** The same computation in another place: a program that runs as it is. */
  code(language: Language): string {
    const { kind, spec, numbers } = this.current();
    return kind.code(spec, this.figure.peek()?.encodings.peek() ?? [], numbers)[language];
  }

  private awaitPage(): Promise<void> {
    return new Promise((resolve) => {
      this.arrive = resolve;
    });
  }

  private current(): Computed & { readonly kind: Figure['kind'] } {
    const figure = this.figure.peek();
    const latest = figure?.computed.peek();
    if (!figure || !latest) throw new Error(this.problem.peek() ?? WORDS.waiting);
    return { kind: figure.kind, ...latest };
  }

  private picture(): Picture {
    const scene = this.surface?.scene.peek();
    if (!scene) throw new Error(this.problem.peek() ?? WORDS.waiting);
    return scene.picture;
  }

  private attributeFields(): Given {
    const fields = [...this.attributes].filter(({ name }) => !RESERVED.test(name));
    return Object.fromEntries(fields.map(({ name, value }) => [camel(name), value]));
  }

  private follow(names: readonly string[]): void {
    if (names.includes('kind') || names.some((name) => NAMES.includes(name))) {
      this.given = { ...this.given, ...this.attributeFields() };
      this.begin();
      return;
    }
    const fields = names.filter((name) => !RESERVED.test(name));
    if (fields.length === 0) return;
    const given = Object.fromEntries(fields.map((name) => [camel(name), this.getAttribute(name) ?? undefined]));
    this.given = { ...this.given, ...given };
    this.figure.peek()?.give(given);
  }

  private resolveLook(preferred: Look['theme']): void {
    const style = getComputedStyle(this);
    // A custom property is text as it was written; as the colour of an element it is computed.
    const probe = document.createElement('span');
    this.renderRoot.append(probe);
    this.look.value = lookOf((property) => {
      const text = style.getPropertyValue(property).trim();
      if (text === '') return '';
      probe.style.color = text;
      return getComputedStyle(probe).color;
    }, preferred);
    probe.remove();
    if (this.dataset.theme !== this.look.value.theme) this.dataset.theme = this.look.value.theme;
  }

  /** Makes the figure that attributes and properties describe. */
  private begin(): void {
    this.stop();
    const { services } = this;
    if (!services) return;
    const id = this.getAttribute('kind') ?? '';
    const kind = kinds[id];
    const lock = words(this.getAttribute('lock'));
    this.settings.value = { lock, controls: this.hasAttribute('controls') ? words(this.getAttribute('controls')) : undefined };
    this.maxHeight.value = Number(this.getAttribute('max-height')) || undefined;
    this.broken.value = undefined;
    this.unknown.value = kind ? undefined : new SpecError('kind', WORDS.unknownKind(id, Object.keys(kinds)));
    this.dataset.state = this.state;
    if (!kind) return;
    const name = this.getAttribute('group') ?? undefined;
    const figure = createFigure(kind, { given: this.given, services, locked: lock, group: services.group(name) });
    this.figure.value = figure;
    const sight = new IntersectionObserver(
      (entries) => {
        figure.active.value = entries.at(-1)?.isIntersecting ?? false;
      },
      { rootMargin: NEAR },
    );
    sight.observe(this);
    const reflect = effect(() => {
      const state = this.broken.value ? 'failed' : figure.state.value;
      if (this.dataset.state !== state) this.dataset.state = state;
      if (state === 'ready') this.dispatchEvent(new CustomEvent('phasor-ready', { bubbles: true, composed: true }));
    });
    this.endFigure = () => {
      sight.disconnect();
      reflect();
      figure.dispose();
    };
  }

  private endFigure: () => void = () => {};

  private stop(): void {
    this.surface?.dispose();
    this.surface = undefined;
    this.endFigure();
    this.endFigure = () => {};
    this.figure.value = undefined;
  }

  protected override updated(): void {
    const figure = this.figure.peek();
    const host = this.renderRoot.querySelector<HTMLElement>('.surface');
    if (!figure || !host || this.surface) return;
    this.surface = pictureSurface(host, {
      figure,
      look: this.look,
      maxHeight: this.maxHeight,
      stepped: () => {
        this.spoken.value = this.readout();
      },
      broken: (thrown) => {
        console.error(thrown);
        this.broken.value = thrown instanceof Error ? thrown.message : String(thrown);
      },
    });
  }

  private readout(): string {
    const figure = this.figure.value;
    const latest = this.latest.value;
    return figure && latest ? figure.kind.readout(latest.numbers, latest.spec, figure.cursor.value) : '';
  }

  protected override render(): TemplateResult {
    const figure = this.figure.value;
    const problem = this.problem.value;
    const latest = this.latest.value;
    const message = problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`;
    if (!figure) return html`<figure><slot></slot>${message}</figure>`;
    const { kind } = figure;
    return html`<figure>
      <h3 class="question" id="question">${kind.question}</h3>
      <p class="caption">${kind.caption}</p>
      ${latest ? nothing : html`<slot></slot>`}
      <div class=${`picture${problem && latest ? ' stale' : ''}`} tabindex=${latest ? 0 : -1} role="group" aria-labelledby="question"
        aria-describedby="keys"><div class="surface"></div></div>
      ${message}
      ${this.progressLine(figure)}
      <p class="readout" aria-hidden="true">${latest ? this.readout() : problem ? '' : WORDS.waiting}</p>
      ${latest ? this.proofLine(kind.proof(latest.numbers, latest.spec)) : nothing}
      ${this.controlsPart(figure)}
      ${latest ? this.folded('table', WORDS.table, () => tableTwin(kind.tables(latest.numbers, latest.spec))) : nothing}
      ${latest ? this.folded('take', WORDS.take, () => takeAway(this, kind, latest, figure.encodings.value)) : nothing}
      <div class="live" aria-live="polite">${this.spoken.value}</div>
      <div class="live" id="keys">${WORDS.arrowKeys}</div>
    </figure>`;
  }

  private progressLine({ progress }: Figure): TemplateResult | typeof nothing {
    const share = progress.value;
    return share === undefined ? nothing : html`<progress max="1" .value=${share} aria-label=${WORDS.computing}></progress>`;
  }

  private proofLine(proof: Proof): TemplateResult {
    const good = holds(proof);
    const numbers = WORDS.residual(proof.what, formatNumber(proof.residual), formatNumber(proof.tolerance, { short: true }));
    return html`<p class=${good ? 'proof' : 'proof amber'} title=${proof.source}>
      <b>${good ? `✓ ${WORDS.proofHolds}` : `△ ${WORDS.proofAmber}`}</b> <span>${proof.meaning} ${capital(numbers)}.</span>
    </p>`;
  }

  private controlsPart(figure: Figure): TemplateResult | typeof nothing {
    const { lock, controls } = this.settings.value;
    const list = controlsOf(figure, { only: controls, locked: lock, changed: (name) => this.changed(figure, name) });
    if (list.length === 0) return nothing;
    const content = html`<div class="controls">${list}</div>`;
    // Controls that the page names are part of the figure; all of them would be too many.
    return controls ? content : this.folded('controls', WORDS.controls, () => content);
  }

  private changed(figure: Figure, field: string): void {
    const spec = figure.spec.peek();
    const detail = { field, spec: this.spec, ...(spec instanceof SpecError ? {} : { text: printSpec(figure.kind, spec) }) };
    this.dispatchEvent(new CustomEvent('phasor-change', { bubbles: true, composed: true, detail }));
  }

  /** A part that is folded until it is wanted. */
  private folded(name: string, title: string, content: () => TemplateResult): TemplateResult {
    const isOpen = this.open.value.has(name);
    const toggled = (event: Event): void => {
      const next = new Set(this.open.peek());
      if ((event.target as HTMLDetailsElement).open) next.add(name);
      else next.delete(name);
      this.open.value = next;
    };
    return html`<details class=${`part-${name}`} .open=${isOpen} @toggle=${toggled}><summary>${title}</summary>${isOpen ? content() : nothing}</details>`;
  }
}

/** Defines the element for this page, with the engine and the words of `page`. */
export function defineFigure(page: PageServices): void {
  PhasorFigure.page = page;
  if (!customElements.get('phasor-figure')) customElements.define('phasor-figure', PhasorFigure);
}
