// The <phasor-figure> element. Its attributes are the figure's fields, and settings such as `lock`, `controls` and `compact`. Members that
// are not public are private (#), because frameworks set properties with the names of attributes.
import { SignalWatcher } from '@lit-labs/preact-signals';
import { type ReadonlySignal, untracked } from '@preact/signals-core';
import { LitElement, nothing, type TemplateResult, unsafeCSS } from 'lit';
import { version } from '../../../package.json';
import type { Picture } from '../../charts/picture.ts';
import type { Tensor } from '../../engine/index.ts';
import { hasStillPicture, isSettingName, readSettings } from '../contract/attributes.ts';
import { createChangeEvent, createReadyEvent } from '../contract/change-event.ts';
import type { FigureElementState, FigureSpec, PhasorFigureElement, PictureOptions } from '../contract/element-types.ts';
import type { Language } from '../contract/kind.ts';
import { fetchKind } from '../contract/registry.ts';
import { fillDefaults, SpecError } from '../contract/spec.ts';
import { STRINGS } from '../contract/strings.ts';
import { HOST_COLORS } from '../contract/theme.ts';
import { pictureToSvg } from '../export/image.ts';
import { exportCode, exportCsv, exportPicture, exportProgramFiles, exportTensors } from '../export/of-figure.ts';
import type { Figure } from '../runtime/controller.ts';
import { enqueueTask } from '../runtime/scheduling.ts';
import type { PageServices, Services } from '../runtime/services.ts';
import { ElementFiles, trackFields } from './description.ts';
import style from './element.css?inline';
import { ElementPicture, Placeholder } from './picture.ts';
import { getFigureState, observeVisibility, PendingKind, startFigure, waitUntilReady } from './start-figure.ts';
import { ElementLook, ElementStyles } from './styles.ts';
import { renderFigureTemplate } from './view.ts';
import { createFigureView } from './view-state.ts';

let page: PageServices;

export class PhasorFigure extends SignalWatcher(LitElement) implements PhasorFigureElement {
  static readonly version: string = version;
  static from: string | undefined;
  static override styles = unsafeCSS(HOST_COLORS + style);

  readonly #view = createFigureView();
  readonly #look = new ElementLook(this, () => this.renderRoot);
  readonly #changed = (figure: Figure, field: string): void => {
    this.dispatchEvent(createChangeEvent(figure, field, this.spec));
  };
  readonly #files = new ElementFiles(this, () => this.#view.figure.peek(), this.#changed);
  readonly #placeholder = new Placeholder();
  readonly #picture = new ElementPicture(this, {
    view: this.#view,
    look: this.#look,
    placeholder: this.#placeholder,
    changed: this.#changed,
  });
  readonly #visibility = observeVisibility(this.#view);
  readonly #spec = trackFields(this, (names) => this.#handleChanges(names));
  #services: Services | undefined;
  #hasStarted = false;
  #endLook = (): void => {};
  #endFigure = (): void => {};
  #onConnected = (): void => {};
  #connected = this.#awaitConnection();
  readonly #kind = new PendingKind();
  readonly #styles = new ElementStyles();

  constructor() {
    super();
    // A script may have set `spec` before the element was defined.
    if (Object.hasOwn(this, 'spec')) {
      const { spec } = this;
      Reflect.deleteProperty(this, 'spec');
      this.spec = spec;
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // The element has been moved. The page's colours may differ there.
    if (this.#services) {
      this.#look.markChanged();
      return;
    }
    this.#spec.flush();
    this.#services = page.acquire();
    this.#visibility.watch(this);
    // A pre-rendered figure starts when it is near the viewport or `ready` is read.
    if (this.#placeholder.isShown) this.dataset.state = 'idle';
    else this.#begin();
    this.#endLook = this.#look.observe(
      this.#view.isNear,
      () => {
        untracked(() => this.#beginOnce());
        void this.#kind.ensureLoaded();
        this.#view.hasBeenNear.value = true;
      },
      () => untracked(() => this.#picture.showSoon()),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // Moving an element disconnects and reconnects it in the same task.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end();
    });
  }

  adoptedCallback(): void {
    this.#end();
  }

  get state(): FigureElementState {
    this.#spec.flush();
    return getFigureState(this.#view);
  }

  /** For pages of this site. Undefined while the element is not connected. */
  get live(): ReadonlySignal<Figure | undefined> {
    return this.#view.figure;
  }

  get spec(): FigureSpec {
    this.#spec.flush();
    const id = this.getAttribute('kind') ?? '';
    const figure = this.#view.figure.peek();
    const kind = figure?.kind ?? page.kinds.get(id);
    const fields = figure?.unparsedFields.peek() ?? this.#spec.currentFields;
    return { ...(kind ? fillDefaults(kind, fields) : fields), kind: id };
  }

  set spec(spec: FigureSpec) {
    const { kind, ...fields } = spec ?? {};
    this.#spec.set(fields, kind);
    this.#begin({ keepsChanges: false });
  }

  get ready(): Promise<void> {
    return waitUntilReady(this.#view, {
      whenStarted: async () => {
        this.#beginOnce();
        await this.#connected;
        this.#spec.flush();
        await this.#kind.ensureLoaded();
      },
      whenShown: () => this.updateComplete,
      isConnected: () => this.isConnected,
    });
  }

  tensors(): { readonly [name: string]: Tensor } {
    this.#spec.flush();
    return exportTensors(this.#view);
  }

  toSVG(options?: PictureOptions): string {
    return pictureToSvg(this.#scenePicture(options), this.#look.current.peek().palette);
  }

  async toPNG(scale = 1, options?: PictureOptions): Promise<Blob> {
    const [picture, { palette }] = [this.#scenePicture(options), this.#look.current.peek()];
    const { renderPng } = await import('../export/png.ts');
    return renderPng(picture, palette, scale);
  }

  toCSV(name?: string): string {
    this.#spec.flush();
    return exportCsv(this.#view, name);
  }

  async toCode(language: Language): Promise<string> {
    this.#spec.flush();
    return exportCode(this.#view, language);
  }

  async programFiles(): Promise<{ readonly [name: string]: Uint8Array }> {
    this.#spec.flush();
    return exportProgramFiles(this.#view);
  }

  #awaitConnection(): Promise<void> {
    return new Promise((resolve) => (this.#onConnected = resolve));
  }

  #scenePicture(options?: PictureOptions): Picture {
    this.#spec.flush();
    if (!this.#view.isNear.peek()) this.#look.update();
    return exportPicture(this.#view, this.#picture.surface, this.#look.current.peek().theme, options && { version, ...options });
  }

  #handleChanges(names: readonly string[]): void {
    const figure = this.#view.figure.peek();
    if (names.includes('kind') && this.getAttribute('kind') !== figure?.kind.id) {
      // Fields of the previous kind are dropped unless they are attributes.
      this.#spec.currentFields = undefined;
      this.#begin({ keepsChanges: false });
      return;
    }
    const fields = this.#spec.updateFields(names);
    // Attributes that the element itself changes, such as data-state, are not fields.
    if (Object.keys(fields).length > 0) figure?.setFields(fields);
    if (['group', 'lock', 'models-src'].some((name) => names.includes(name))) this.#begin();
    else if (names.some(isSettingName)) this.#view.settings.value = readSettings(this);
  }

  #beginOnce(): void {
    if (!this.#hasStarted) this.#begin();
  }

  #begin({ keepsChanges = true } = {}): void {
    this.#stop({ keepsChanges });
    const services = this.#services;
    if (!services) return;
    this.#hasStarted = true;
    this.#onConnected();
    const { specError, internalError, settings, isNear } = this.#view;
    const id = this.getAttribute('kind') ?? '';
    const kind = page.kinds.get(id);
    const canLoad = !kind && page.kinds.ids.includes(id);
    // With a still picture, the kind is not loaded until the figure is near the viewport.
    if (canLoad) this.#kind.schedule(() => this.#load(id), !this.#placeholder.isShown || isNear.peek());
    settings.value = readSettings(this);
    internalError.value = undefined;
    specError.value = kind || canLoad ? undefined : new SpecError('kind', STRINGS.unknownKind(id, page.kinds.ids));
    this.#endFigure = startFigure(this.#view, kind, {
      rawFields: this.#spec.currentFields,
      services,
      group: this.getAttribute('group') ?? undefined,
      modelsFolder: this.getAttribute('models-src') ?? undefined,
      reflect: (state) => this.#reflect(state),
    });
  }

  #load(id: string): Promise<void> {
    return fetchKind(page.kinds, id, (problem) => {
      if (this.getAttribute('kind') !== id) return;
      if (problem) this.#view.specError.value = problem;
      else this.#begin();
    });
  }

  #reflect(state: FigureElementState): void {
    if (this.dataset.state === state) return;
    this.dataset.state = state;
    if (state !== 'ready') return;
    // Listeners may read the picture or set a spec, so all effects must run first.
    queueMicrotask(async () => {
      await this.updateComplete;
      if (this.dataset.state === 'ready') this.dispatchEvent(createReadyEvent());
    });
  }

  /** @param keepsChanges whether to keep the user's changes */
  #stop({ keepsChanges = true } = {}): void {
    const { figure } = this.#view;
    const fields = figure.peek()?.unparsedFields.peek();
    if (keepsChanges && fields) this.#spec.currentFields = fields;
    this.#picture.dispose();
    this.#endFigure();
    this.#endFigure = () => {};
    figure.value = undefined;
  }

  #end(): void {
    if (!this.#services) return;
    this.#spec.flush();
    this.#visibility.end();
    this.#endLook();
    this.#stop();
    this.dataset.state = 'idle';
    this.#services.release();
    this.#services = undefined;
    this.#hasStarted = false;
    this.#connected = this.#awaitConnection();
  }

  /** Renders in a separate task while a placeholder is displayed. */
  protected override scheduleUpdate(): Promise<unknown> | undefined {
    if (!this.#placeholder.isShown) return super.scheduleUpdate() as undefined;
    return new Promise<void>((resolve) => {
      enqueueTask(() => {
        try {
          super.scheduleUpdate();
        } finally {
          resolve();
        }
      });
    });
  }

  protected override createRenderRoot(): HTMLElement | DocumentFragment {
    const root = this.shadowRoot;
    const firstNode = this.#placeholder.adopt(root);
    if (!root || !firstNode) return super.createRenderRoot();
    this.#view.isPending.value = true;
    this.renderOptions.renderBefore = firstNode;
    return root;
  }

  protected override updated(): void {
    untracked(() => this.#picture.showSoon());
  }

  protected override render(): TemplateResult | typeof nothing {
    const { controls, figure, hasBeenNear, latestResult, openedStyles, problem, settings } = this.#view;
    const hadPlaceholder = this.#placeholder.isShown;
    // Controls that are always visible must be loaded before the placeholder is removed.
    const isComplete = settings.value.controls === undefined || controls.value !== undefined;
    const isCovered = this.#placeholder.isStillShown((latestResult.value !== undefined && isComplete) || problem.value !== undefined);
    const root = this.renderRoot as ShadowRoot;
    if (hadPlaceholder && !isCovered) this.#styles.adopt(root, PhasorFigure.elementStyles);
    if (!isCovered) this.#styles.addOpenedStyles(root, openedStyles.value);
    if (isCovered && (!figure.value || !hasBeenNear.value)) return nothing;
    return renderFigureTemplate(
      this.#view,
      {
        exportSource: { source: this, script: page.script },
        changed: this.#changed,
        renderFileInput: (figure) => this.#files.render(figure),
      },
      { hasStillPicture: hasStillPicture(this), isCovered, height: this.#placeholder.heightFor(latestResult.value?.spec) },
    );
  }
}

export function shareServices(services: PageServices): void {
  page = services;
}
