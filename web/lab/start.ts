// Starts the page. The website and the offline file differ only in the source of the engine and of the word vectors.
import { PhasorError, type RemotePhasor } from '../engine/index.ts';
import type { WordVectors } from '../sentence/word-vectors.ts';
import { About } from './about.ts';
import { followAddress } from './address.ts';
import { Controls } from './controls.ts';
import { Editor } from './editor.ts';
import { define } from './element.ts';
import { Engine, Tools } from './header-footer.ts';
import { listenForPageErrors } from './page-error.ts';
import { Added } from './panels/added.ts';
import { Attention } from './panels/attention.ts';
import { Change } from './panels/change.ts';
import { Panels } from './panels/panels.ts';
import { PictureHost } from './picture-host.ts';
import { Rail } from './rail.ts';
import { Sentence } from './sentence/sentence.ts';
import { computeOnChange, engine, failure } from './store.ts';
import { Badge, Story } from './story.ts';

export interface LabSources {
  /** Starts the engine. */
  engine(): Promise<RemotePhasor>;
  readonly vectors: WordVectors;
}

export async function startLab({ engine: start, vectors }: LabSources): Promise<void> {
  listenForPageErrors();
  followAddress();
  define('ph-picture', PictureHost);
  define('ph-sentence', Sentence);
  define('ph-story', Story);
  define('ph-badge', Badge);
  define('ph-editor', Editor);
  define('ph-rail', Rail);
  define('ph-about', About);
  define('ph-controls', Controls);
  define('ph-added', Added);
  define('ph-attention', Attention);
  define('ph-change', Change);
  define('ph-panels', Panels);
  define('ph-tools', Tools);
  define('ph-engine', Engine);
  try {
    const phasor = await start();
    engine.value = phasor;
    computeOnChange(phasor, vectors);
  } catch (thrown) {
    failure.value = PhasorError.from(thrown).message;
  }
}
