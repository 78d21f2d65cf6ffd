// Brings the page to life. The website and the offline file differ only in where the engine and the word vectors come from.
import { effect } from '@preact/signals-core';
import { PhasorError, type RemotePhasor } from '../engine/index.ts';
import type { WordVectors } from '../figure/word-vectors.ts';
import { About } from './about.ts';
import { Controls } from './controls.ts';
import { choose } from './cursor.ts';
import { Editor } from './editor.ts';
import { define } from './element.ts';
import { printLink, readLink } from './link.ts';
import { Engine, Tools } from './page-ends.ts';
import { Added } from './panels/added.ts';
import { Attention } from './panels/attention.ts';
import { Change } from './panels/change.ts';
import { Panels } from './panels/panels.ts';
import { PictureHost } from './picture-host.ts';
import { Rail } from './rail.ts';
import { Sentence } from './sentence/sentence.ts';
import { computeAlways, engine, failure, linkProblem, state } from './store.ts';
import { Badge, Story } from './story.ts';

export interface LabSources {
  /** Starts the engine. */
  engine(): Promise<RemotePhasor>;
  readonly vectors: WordVectors;
}

/** How often the address may change, ms; browsers refuse more than about a hundred changes in half a minute. */
const LINK_PACE = 400;

/** Takes over the state of the address. */
function followLink(): void {
  const { state: linked, problem } = readLink(location.hash);
  state.value = linked;
  linkProblem.value = problem;
  choose(undefined);
}

/** Keeps the address equal to the state. */
function writeLinks(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let written = printLink(state.peek());
  const write = (): void => {
    timer = undefined;
    const link = printLink(state.peek());
    if (link === written) return;
    written = link;
    try {
      history.replaceState(history.state, '', link ? `#${link}` : location.pathname + location.search);
    } catch {
      // Some browsers keep the address of a file on disk as it is.
    }
  };
  effect(() => {
    state.value;
    timer ??= setTimeout(write, LINK_PACE);
  });
  addEventListener('hashchange', () => {
    if (location.hash.replace(/^#/, '') !== written) followLink();
  });
}

export async function startLab({ engine: start, vectors }: LabSources): Promise<void> {
  followLink();
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
  writeLinks();
  try {
    const phasor = await start();
    engine.value = phasor;
    computeAlways(phasor, vectors);
  } catch (thrown) {
    failure.value = PhasorError.from(thrown).message;
  }
}
