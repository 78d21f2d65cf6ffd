// <ph-config>: a dialog for pasting a config.json. The text is parsed immediately; a button shows the encoding in the Lab.
import { effect, signal } from '@preact/signals-core';
import { html, nothing, type TemplateResult } from 'lit';
import { formatId } from '../../charts/english.ts';
import type { Params } from '../../engine/index.ts';
import { getEncodingTitle } from '../descriptions.ts';
import { define, LabElement } from '../element.ts';
import { suggestQuestion } from '../questions/arrangement.ts';
import { reportPageError } from '../state/page-error.ts';
import { change, engine, state } from '../state/store.ts';
import { findLayers, type LayersReading, stateFromLayers } from './config-layers.ts';
import {
  type ConfigChoices,
  type ConfigQuestion,
  type ConfigReading,
  formatParam,
  type ParsedConfig,
  readConfig,
  stateFromConfig,
} from './config-reading.ts';
import { CONFIG_EXAMPLES, CONFIG_STRINGS as STRINGS } from './config-strings.ts';

class ConfigDialog extends LabElement {
  private readonly text = signal('');
  private readonly choices = signal<ConfigChoices>({});
  private readonly reading = signal<ConfigReading>({ problem: '' });
  private readonly layers = signal<LayersReading | undefined>(undefined);
  private readonly questions = signal<readonly ConfigQuestion[]>([]);
  private latestRequestNumber = 0;
  private stopEffect: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.stopEffect = effect(() => {
      const currentEngine = engine.value;
      const { dim, heads } = state.value;
      const requestNumber = ++this.latestRequestNumber;
      if (!currentEngine) {
        this.reading.value = { problem: STRINGS.engineLoading };
        return;
      }
      readConfig(this.text.value, this.choices.value, currentEngine, { dim, heads }).then((reading) => {
        if (requestNumber !== this.latestRequestNumber) return;
        const openQuestion = 'openQuestion' in reading ? reading.openQuestion : undefined;
        if (openQuestion && !this.questions.peek().some(({ field }) => field === openQuestion.field))
          this.questions.value = [...this.questions.peek(), openQuestion];
        this.reading.value = reading;
      }, reportPageError);
      findLayers(this.text.value, currentEngine).then((foundLayers) => {
        if (requestNumber === this.latestRequestNumber) this.layers.value = foundLayers;
      }, reportPageError);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stopEffect?.();
  }

  open(): void {
    void this.updateComplete.then(() => this.querySelector('dialog')?.showModal());
  }

  private readonly close = (): void => this.querySelector('dialog')?.close();

  private setText(text: string): void {
    this.choices.value = {};
    this.questions.value = [];
    this.text.value = text;
  }

  protected override render() {
    const reading = this.reading.value;
    const currentConfig = 'parsedConfig' in reading ? reading.parsedConfig : undefined;
    const layers = this.layers.value;
    return html`<dialog class="config" aria-labelledby="config-title">
      <h2 id="config-title">${STRINGS.title}</h2>
      <p class="muted">${STRINGS.description}</p>
      <label for="config-text">${STRINGS.textLabel}</label>
      <textarea id="config-text" rows=${layers?.sentence === undefined ? 7 : 4} spellcheck="false" autocomplete="off" autofocus placeholder=${STRINGS.placeholder} .value=${this.text.value}
        aria-describedby="config-problem" @input=${(event: Event) => this.setText((event.target as HTMLTextAreaElement).value)}></textarea>
      <p class="config-sources"><button type="button" class="plain" @click=${this.openFilePicker}>${STRINGS.chooseFile}</button> ${STRINGS.examplesLabel}
        ${CONFIG_EXAMPLES.map(([name, config]) => html`<button type="button" class="plain" @click=${() => this.setText(JSON.stringify(config, null, 1))}>${name}</button>`)}
        <input type="file" hidden accept=".json,application/json" @change=${this.readChosenFile}></p>
      <p class="problem" id="config-problem" role="alert">${'problem' in reading ? reading.problem : nothing}</p>
      <p class="config-sentence" role="status">${layers?.sentence ?? nothing}</p>
      ${this.questions.value.map((question) => this.renderQuestion(question))}
      <div role="status">${currentConfig ? this.renderReport(currentConfig, layers?.sentence === undefined) : nothing}</div>
      ${currentConfig && layers?.layersProblem ? html`<p class="muted config-layers">${STRINGS.cannotShowLayers(layers.layersProblem)}</p>` : nothing}
      <p class="config-ends">
        ${currentConfig ? html`<button type="button" class="next" @click=${() => this.show(currentConfig)}>${STRINGS.showInLab}</button>` : nothing}
        ${layers?.configText ? html`<button type="button" class=${currentConfig ? '' : 'next'} @click=${() => this.showLayers(layers)}>${STRINGS.showLayers}</button>` : nothing}
        <button type="button" @click=${this.close}>${STRINGS.close}</button>
      </p>
    </dialog>`;
  }

  private renderQuestion({ field, choices }: ConfigQuestion): TemplateResult {
    const setChoice = (value: string | number): void => {
      this.choices.value = { ...this.choices.peek(), [field]: value };
    };
    const renderChoice = (word: string): TemplateResult =>
      html`<label class="choice"><input type="radio" name=${`config-${field}`} value=${word} .checked=${this.choices.value[field] === word}
        @change=${() => setChoice(word)}><span>${formatId(word)}</span></label>`;
    const input = choices.length
      ? html`<span class="segments">${choices.map(renderChoice)}</span>`
      : html`<input type="number" min="0" step="1" aria-label=${STRINGS.choicePrompts[field]} @change=${(event: Event) => setChoice(Number((event.target as HTMLInputElement).value))}>`;
    return html`<fieldset><legend>${STRINGS.choicePrompts[field]}</legend>${input}</fieldset>`;
  }

  private renderReport({ info, configEncoding, unshownProperties, unusedKeys }: ParsedConfig, isOpen: boolean): TemplateResult {
    const { id: _, ...params } = configEncoding.encoding;
    return html`<details class="config-report" ?open=${isOpen}>
      <summary>${STRINGS.reportTitle(getEncodingTitle(info.id))}</summary>
      ${renderParams(params)}
      <h4>${STRINGS.sourceKeysHeading}</h4>${renderParams(configEncoding.sourceKeys)}
      ${configEncoding.assumed ? html`<h4>${STRINGS.assumedHeading}</h4>${renderParams(configEncoding.assumed)}` : nothing}
      ${
        Object.keys(configEncoding.defaults).length
          ? html`<h4>${STRINGS.defaultsHeading}</h4>${renderParams(configEncoding.defaults)}`
          : configEncoding.assumed
            ? nothing
            : html`<h4>${STRINGS.noAssumptions}</h4>`
      }
      ${unshownProperties.length ? html`<h4>${STRINGS.ignoredHeading}</h4><ul>${unshownProperties.map((clause) => html`<li>${clause}</li>`)}</ul>` : nothing}
      ${unusedKeys.length ? html`<details><summary>${STRINGS.unusedKeys(unusedKeys.length)}</summary><p>${unusedKeys.join(', ')}</p></details>` : nothing}
    </details>`;
  }

  private show(parsedConfig: ParsedConfig): void {
    change({ question: suggestQuestion(parsedConfig.info), view: '', ...stateFromConfig(parsedConfig, state.peek()) }, 'encoding');
    this.close();
  }

  private readonly showLayers = async (layers: LayersReading): Promise<void> => {
    const currentEngine = engine.peek();
    if (!currentEngine) return;
    change(await stateFromLayers(layers, currentEngine, state.peek()), 'encoding');
    this.close();
  };

  private readonly openFilePicker = (): void => this.querySelector<HTMLInputElement>('input[type=file]')?.click();

  private readonly readChosenFile = async (event: Event): Promise<void> => {
    const input = event.target as HTMLInputElement;
    const [file] = input.files ?? [];
    input.value = '';
    if (file) this.setText(await file.text());
  };
}

const renderParams = (params: Params): TemplateResult | typeof nothing =>
  Object.keys(params).length === 0
    ? nothing
    : html`<dl>${Object.entries(params).map(([name, value]) => html`<div><dt>${name}</dt><dd>${formatParam(value)}</dd></div>`)}</dl>`;

let dialog: ConfigDialog | undefined;

export function openConfigDialog(): void {
  define('ph-config', ConfigDialog);
  if (!dialog) {
    dialog = document.createElement('ph-config') as ConfigDialog;
    document.body.append(dialog);
  }
  dialog.open();
}
