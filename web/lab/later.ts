// The parts of the page that are loaded after the first picture: all except the sentence and its story. Style sheets reserve their height
// (styles/room.css).
import { enqueueTask } from '../figure/runtime/scheduling.ts';
import { loadDescriptions } from './descriptions.ts';
import { define } from './element.ts';
import { About } from './page/about.ts';
import { Check } from './page/check.ts';
import { Controls } from './page/controls.ts';
import { CopyLink } from './page/copy-link.ts';
import { Editor } from './page/editor.ts';
import { Notes } from './page/figure-notes.ts';
import { Guide } from './page/guide.ts';
import { Engine, Keys, Tools } from './page/header-footer.ts';
import { Lecture } from './page/lecture.ts';
import { Rail } from './page/rail.ts';
import { SaveFile } from './page/save-file.ts';
import { Spoken } from './page/spoken.ts';
import { Strip } from './page/strip.ts';
import { Colours } from './page/theme-select.ts';
import { reportPageError } from './state/page-error.ts';
import './styles/later.css';
import { Views } from './page/views.ts';

/** The elements in the order of the page. */
const ELEMENTS: readonly [name: string, type: CustomElementConstructor][] = [
  ['ph-tools', Tools],
  ['ph-copy', CopyLink],
  ['ph-colours', Colours],
  ['ph-lecture', Lecture],
  ['ph-strip', Strip],
  ['ph-editor', Editor],
  ['ph-rail', Rail],
  ['ph-about', About],
  ['ph-controls', Controls],
  ['ph-guide', Guide],
  ['ph-views', Views],
  ['ph-notes', Notes],
  ['ph-spoken', Spoken],
  ['ph-keys', Keys],
  ['ph-engine', Engine],
  ['ph-check', Check],
  ['ph-save', SaveFile],
];

/** Defines the remaining elements in one task each, so that the page responds in between. */
export function defineLater(): void {
  void loadDescriptions().catch(reportPageError);
  for (const [name, type] of ELEMENTS) enqueueTask(() => define(name, type));
}
