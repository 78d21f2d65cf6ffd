// A report on a language model, saved as a file: its position config, measurements of its heads on the user's text, and the figure's
// programs.
import { escapeMarkup } from '../../charts/escaped.ts';
import { matrixScene } from '../../charts/heatmap/matrix-scene.ts';
import type { Theme } from '../../charts/picture.ts';
import { PALETTES } from '../../charts/render/palette.ts';
import { messageOf } from '../../engine/errors.ts';
import type { LanguageModel } from '../contract/context.ts';
import type { PhasorFigureElement } from '../contract/element-types.ts';
import { pictureToSvg } from './image.ts';
import { computeReportNumbers, type HeadWeight, type ReportEngine, type ReportNumbers } from './report-numbers.ts';
import { REPORT_STRINGS as STRINGS } from './report-strings.ts';

export interface ReportSource {
  readonly figure: PhasorFigureElement;
  readonly languageModel: LanguageModel;
  readonly engine: ReportEngine & { readonly version: string };
  /** The page's URL, including its settings. */
  readonly pageUrl: string;
}

/** Maximum width of a picture in CSS px. */
const MAX_WIDTH = 720;

const otherFigureWidth = ({ clientWidth }: HTMLElement): number => Math.min(MAX_WIDTH, clientWidth || MAX_WIDTH);

const createStyleSheet = (
  theme: Theme,
): string => `:root{color-scheme:${theme}}body{max-width:45rem;margin:2rem auto;padding:0 1rem;font:17px/1.5 Charter,Georgia,serif;color:${PALETTES[theme].tones.ink};background:${PALETTES[theme].ground}}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.2rem 0 .4rem}svg{max-width:100%;height:auto}table{border-collapse:collapse;margin:.6rem 0 1.2rem;font:14px/1.4 system-ui,sans-serif}
th,td{text-align:left;padding:.15rem 1rem .15rem 0;border-bottom:1px solid ${PALETTES[theme].tones.hairline};vertical-align:top;overflow-wrap:anywhere}td:first-child{min-width:9.5rem}
pre{overflow-x:auto;padding:.7rem;border:1px solid ${PALETTES[theme].tones.hairline};font:13px/1.45 ui-monospace,monospace}footer{margin-top:2.5rem;font-size:.85rem}a{overflow-wrap:anywhere;color:${PALETTES[theme].tones.accent}}`;

const paragraphHtml = (text: string): string => `<p>${escapeMarkup(text)}</p>`;
const sectionHtml = (title: string, ...parts: readonly string[]): string =>
  parts.some(Boolean) ? `<section><h2>${escapeMarkup(title)}</h2>${parts.join('\n')}</section>` : '';
const tableHtml = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : `<table><thead><tr>${head.map((cell) => `<th>${escapeMarkup(cell)}</th>`).join('')}</tr></thead><tbody>${rows
        .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeMarkup(cell)}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`;

/** Draws another figure off-screen. Returns its SVG, or an HTML paragraph with the error message. */
async function otherFigureSvg(sibling: PhasorFigureElement, attributes: { readonly [name: string]: string }): Promise<string> {
  const figure = document.createElement(sibling.localName) as PhasorFigureElement;
  for (const [name, value] of Object.entries(attributes)) figure.setAttribute(name, value);
  Object.assign(figure.style, { position: 'absolute', left: '-10000px', width: `${otherFigureWidth(sibling)}px` });
  (sibling.parentElement ?? document.body).append(figure);
  try {
    await figure.ready;
    return figure.toSVG({ margin: 0 });
  } catch (thrown) {
    return paragraphHtml(messageOf(thrown));
  } finally {
    figure.remove();
  }
}

function pairsPicture(pairs: ReportNumbers['pairs'], width: number, theme: Theme): string {
  const columns = Math.max(0, ...pairs.map(({ contributions }) => contributions.length));
  if (columns === 0) return '';
  const data = new Float32Array(pairs.length * columns).fill(Number.NaN);
  for (const [row, { contributions: used }] of pairs.entries()) data.set(used, row * columns);
  const { picture } = matrixScene({
    grid: { rows: pairs.length, columns, data },
    rowLabels: pairs.map(({ layer }) => String(layer + 1)),
    columnLabels: Array.from({ length: columns }, (_, pair) => String(pair)),
    rowTitle: STRINGS.layer,
    columnTitle: STRINGS.pair,
    rowAxis: 'layer',
    columnAxis: 'pair',
    scale: 'root',
    range: [0, Math.max(...data.filter(Number.isFinite))],
    quantity: STRINGS.share,
    title: STRINGS.pairsTitle,
    width,
    maxHeight: 400,
    theme,
  });
  return pictureToSvg(picture, PALETTES[theme]);
}

const headsTable = (title: string, shares: readonly HeadWeight[]): string =>
  tableHtml(
    [STRINGS.head, title],
    shares.map(({ layer, head, share }) => [STRINGS.headName(layer, head), STRINGS.percent(share)]),
  );

const programSection = (name: string, code: string | undefined): string =>
  code ? `<h3>${escapeMarkup(name)}</h3><pre>${escapeMarkup(code)}</pre>` : '';

/** Returns the report as an HTML document. Rejects if the measurements fail or if the figure cannot be computed. */
export async function createModelReport({ figure, languageModel, engine, pageUrl }: ReportSource): Promise<string> {
  await figure.ready;
  const text = String(figure.spec.text ?? '');
  const results = await computeReportNumbers(languageModel, text, engine);
  const { positionSentence, configEntries, rotationGroups, firstTokenHeads, previousTokenHeads, pairs, meanWeightOnFirst, tokenCount } =
    results;
  const { name, config, contextLength, model } = languageModel;
  const theme = figure.dataset.theme === 'dark' ? 'dark' : 'light';
  const loadProgram = (language: 'python' | 'phasor') => figure.toCode(language).catch(() => undefined);
  const layersSvg = config === undefined ? '' : await otherFigureSvg(figure, { kind: 'layers', config });
  const sections = [
    `<h1>${escapeMarkup(STRINGS.title(name))}</h1>`,
    paragraphHtml(STRINGS.about(model.info)),
    paragraphHtml(positionSentence?.sentence ?? STRINGS.noSentence(config === undefined)),
    sectionHtml(
      STRINGS.configTitle(config === undefined),
      tableHtml([STRINGS.key, STRINGS.value], configEntries.fileEntries),
      configEntries.defaults.length > 0 ? paragraphHtml(STRINGS.defaults) : '',
      tableHtml([STRINGS.key, STRINGS.value], configEntries.defaults),
    ),
    sectionHtml(STRINGS.layersTitle, layersSvg),
    sectionHtml(
      STRINGS.anglesTitle,
      ...rotationGroups.map((group) => paragraphHtml(STRINGS.turns(group, contextLength as number, rotationGroups.length === 1))),
    ),
    sectionHtml(
      STRINGS.headsTitle,
      paragraphHtml(STRINGS.text(text, tokenCount)),
      figure.toSVG({ margin: 0, title: true, source: true }),
      paragraphHtml(STRINGS.sinks(meanWeightOnFirst)),
      headsTable(STRINGS.first, firstTokenHeads),
      headsTable(STRINGS.previous, previousTokenHeads),
    ),
    sectionHtml(
      STRINGS.pairsTitle,
      pairs.length > 0 ? paragraphHtml(STRINGS.pairsHint) : '',
      pairsPicture(pairs, otherFigureWidth(figure), theme),
    ),
    sectionHtml(
      STRINGS.programs,
      programSection(STRINGS.python, await loadProgram('python')),
      programSection(STRINGS.javascript, await loadProgram('phasor')),
    ),
    `<footer><p>${escapeMarkup(STRINGS.source(engine.version))} <a href="${escapeMarkup(pageUrl)}">${escapeMarkup(STRINGS.settings)}</a></p></footer>`,
  ];
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(STRINGS.title(name))}</title><style>${createStyleSheet(theme)}</style></head>
<body>
${sections.filter(Boolean).join('\n')}
</body>
</html>
`;
}
