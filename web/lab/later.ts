// Loads the rest of the page after the first picture of the sentence. The style sheet room.css reserves its height.
import { enqueueTask } from '../figure/runtime/scheduling.ts';
import { loadDescriptions } from './descriptions.ts';
import { define } from './element.ts';
import { AboutPanel } from './page/about.ts';
import { SelfTestPanel } from './page/check.ts';
import { Controls } from './page/controls.ts';
import { CopyLink } from './page/copy-link.ts';
import { Editor } from './page/editor.ts';
import { FigureNotes } from './page/figure-notes.ts';
import { Guide } from './page/guide.ts';
import { EngineInfo, ShortcutList, Toolbar } from './page/header-footer.ts';
import { Lecture } from './page/lecture.ts';
import { Rail } from './page/rail.ts';
import { SaveFile } from './page/save-file.ts';
import { SpokenSummary } from './page/spoken.ts';
import { Strip } from './page/strip.ts';
import { ThemeSelect } from './page/theme-select.ts';
import { reportPageError } from './state/page-error.ts';
import './styles/later.css';
import { Views } from './page/views.ts';

/** The remaining elements, in the order of the page. */
const LATER_ELEMENTS: readonly [name: string, type: CustomElementConstructor][] = [
  ['ph-tools', Toolbar],
  ['ph-copy', CopyLink],
  ['ph-colours', ThemeSelect],
  ['ph-lecture', Lecture],
  ['ph-strip', Strip],
  ['ph-editor', Editor],
  ['ph-rail', Rail],
  ['ph-about', AboutPanel],
  ['ph-controls', Controls],
  ['ph-guide', Guide],
  ['ph-views', Views],
  ['ph-notes', FigureNotes],
  ['ph-spoken', SpokenSummary],
  ['ph-keys', ShortcutList],
  ['ph-engine', EngineInfo],
  ['ph-check', SelfTestPanel],
  ['ph-save', SaveFile],
];

/** Defines each remaining element in a separate task, so that the page stays responsive. */
export function defineRemainingElements(): void {
  void loadDescriptions().catch(reportPageError);
  for (const [name, type] of LATER_ELEMENTS) enqueueTask(() => define(name, type));
}
