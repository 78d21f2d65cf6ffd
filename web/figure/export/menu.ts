// Renders a figure's export menu: files, HTML that embeds the figure, and programs that compute the same results. Loaded when the user
// opens the menu.

import { html, nothing, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import { escapeMarkup } from '../../charts/escaped.ts';
import { messageOf } from '../../engine/errors.ts';
import type { EncodingInfo, Tensor } from '../../engine/index.ts';
import type { PictureOptions } from '../contract/element-types.ts';
import type { SpecOf } from '../contract/fields.ts';
import type { AnyKind } from '../contract/registry.ts';
import { printLink, printTag } from '../contract/spec.ts';
import type { Computed } from '../runtime/controller.ts';
import { encodeNpy } from './npy.ts';
import { fetchReferences, programsOf } from './programs.ts';
import { saveBlob } from './save-blob.ts';

const MENU_STRINGS = {
  noCode: (why: string) => `No program available: ${why}.`,
  title: 'with title',
  source: 'with source',
  embed: 'Embed this figure in another page:',
  embedWithout: 'The tag does not include the data loaded from a file; set the data in a script: figure.spec = { … }.',
  languages: { python: 'Python with NumPy', phasor: 'phasor (JavaScript)' },
  files: 'Save the program and all files it needs in one folder:',
  folder: 'The folder reference/ of the website and of the npm package phasor contains all imported files and their PyTorch versions.',
} as const;

const EMBED_STRINGS = {
  instead: (question: string) => `${question} If no figure appears here, open it in Phasor.`,
} as const;

/** Matches the path of the script on the website. */
const SCRIPT_PATH = /\/embed\/figure\.js$/;

/**
 * Creates a link to the figure on the website, which is displayed if the script does not load. Returns an empty string if the script is not
 * from the website.
 */
function createFallbackLink(kind: AnyKind, spec: SpecOf<AnyKind['fields']>, scriptUrl: string): string {
  const { href, pathname } = new URL(scriptUrl);
  if (!SCRIPT_PATH.test(pathname)) return '';
  const figureUrl = new URL(`../gallery/?${printLink(kind, spec)}`, href);
  return `<a href="${escapeMarkup(figureUrl.href)}">${escapeMarkup(EMBED_STRINGS.instead(kind.question))}</a>`;
}

/**
 * Returns the HTML that embeds a figure in another page.
 * @param script the URL of a script that defines <phasor-figure>; if undefined, the HTML imports the package and needs a bundler
 */
export function createEmbedCode(kind: AnyKind, spec: SpecOf<AnyKind['fields']>, script: string | undefined): string {
  const scriptEnd = script === undefined ? ">import 'phasor/figure';</script>" : ` src="${escapeMarkup(script)}"></script>`;
  const fallback = script === undefined ? '' : createFallbackLink(kind, spec, script);
  return `<script type="module"${scriptEnd}\n${printTag(kind, spec).replace('</', () => `${fallback}</`)}`;
}

interface FigureSource {
  toSVG(options: PictureOptions): string;
  toPNG(scale: number, options: PictureOptions): Promise<Blob>;
  toCSV(name?: string): string;
}

export interface ExportSource {
  readonly source: FigureSource;
  /** The URL of a script that defines <phasor-figure> on other pages, if one is known. */
  readonly script: string | undefined;
}

const renderScrollBox = (name: string, text: string): TemplateResult =>
  html`<pre tabindex="0" role="group" aria-label=${name}>${text}</pre>`;

const createNpyBlob = (tensor: Tensor): Blob => new Blob([encodeNpy(tensor)]);

const renderSaveButton = (label: string, createBlob: (options: PictureOptions) => Blob | Promise<Blob>, fileName: string): TemplateResult =>
  html`<button type="button" @click=${async ({ currentTarget }: Event) => saveBlob(await createBlob(readCheckedOptions(currentTarget as Element)), fileName)}>${label}</button>`;

function readCheckedOptions(button: Element): PictureOptions {
  const isChecked = (name: string): boolean =>
    button.closest('.files')?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.checked ?? false;
  return { title: isChecked('title'), source: isChecked('source') };
}

const renderCheckbox = (name: string, label: string): TemplateResult => html`<label><input type="checkbox" name=${name}> ${label}</label>`;

/** Renders the programs after loading them. If the spec has no program, renders a message instead; the rest of the menu is not affected. */
async function renderPrograms(...args: Parameters<typeof programsOf>): Promise<TemplateResult> {
  try {
    const [code, { encodeContent, collectProgramFiles }] = await Promise.all([programsOf(...args), fetchReferences()]);
    const { python, phasor } = MENU_STRINGS.languages;
    const files = Object.entries({ [`${args[0].id}_figure.py`]: code.python, ...collectProgramFiles(code) });
    return html`<p>${python}</p>
      ${renderScrollBox(python, code.python)}
      <p>${MENU_STRINGS.files}</p>
      <div class="files">${files.map(([name, content]) => renderSaveButton(name, () => new Blob([encodeContent(content)]), name))}</div>
      <p>${MENU_STRINGS.folder}</p>
      <p>${phasor}</p>
      ${renderScrollBox(phasor, code.phasor)}`;
  } catch (thrown) {
    return html`<p>${MENU_STRINGS.noCode(messageOf(thrown))}</p>`;
  }
}

export function renderExportMenu(
  { source, script }: ExportSource,
  kind: AnyKind,
  { spec, results }: Computed,
  encodings: readonly EncodingInfo[],
): TemplateResult {
  const createTextBlob = (content: string, type: string): Blob => new Blob([content], { type });
  return html`<div class="files">
      ${renderSaveButton('SVG', (options) => createTextBlob(source.toSVG(options), 'image/svg+xml'), `${kind.id}.svg`)}
      ${[1, 2, 4].map((scale) => renderSaveButton(`PNG ×${scale}`, (options) => source.toPNG(scale, options), `${kind.id}@${scale}x.png`))}
      ${renderCheckbox('title', MENU_STRINGS.title)} ${renderCheckbox('source', MENU_STRINGS.source)}
    </div>
    <div class="files">
      ${kind
        .tables(results, spec)
        .map(({ name, tensor }) => [
          renderSaveButton(`${name}.csv`, () => createTextBlob(source.toCSV(name), 'text/csv'), `${name}.csv`),
          renderSaveButton(`${name}.npy`, () => createNpyBlob(tensor), `${name}.npy`),
        ])}
    </div>
    <p>${MENU_STRINGS.embed}</p>
    ${renderScrollBox(MENU_STRINGS.embed, createEmbedCode(kind, spec, script))}
    ${Object.entries(kind.fields).some(([name, { print }]) => spec[name] !== undefined && print(spec[name]) === undefined) ? html`<p>${MENU_STRINGS.embedWithout}</p>` : nothing}
    ${until(renderPrograms(kind, spec, encodings, results))}`;
}
