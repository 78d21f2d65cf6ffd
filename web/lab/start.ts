// Starts the page. The website and the offline file differ only in the sources of the engine and of data.
import { effect } from '@preact/signals-core';
import { PhasorError } from '../engine/index.ts';
import { defineFigure, type PhasorFigure } from '../figure/element.ts';
import { PageServices, type ServiceSources } from '../figure/services.ts';
import { About } from './about.ts';
import { followAddress } from './address.ts';
import { Controls } from './controls.ts';
import { loadDescriptions } from './descriptions.ts';
import { Editor } from './editor.ts';
import { define } from './element.ts';
import { Guide } from './guide.ts';
import { Engine, Keys, Tools } from './header-footer.ts';
import { printLink } from './link.ts';
import { listenForPageErrors, reportPageError } from './page-error.ts';
import { Rail } from './rail.ts';
import { GROUP, shareState } from './sharing.ts';
import { engine, failure, followSentence, state } from './store.ts';
import { Badge, Readout, Story } from './story.ts';
import { Strip } from './strip.ts';
import { Views } from './views.ts';

/** The first picture is that of the initial state: a link to something else goes without. */
function keepFirstPicture(): void {
  if (printLink(state.peek()) !== '') document.querySelector('.first-sentence')?.remove();
}

export async function startLab(sources: ServiceSources): Promise<void> {
  listenForPageErrors();
  followAddress();
  const page = new PageServices(sources);
  // The page is the first to hear of the engine: it knows then which parts of a link are valid.
  const services = page.acquire();
  void loadDescriptions().catch(reportPageError);
  const started = services.engine().then(
    (phasor) => {
      engine.value = phasor;
    },
    (thrown: unknown) => {
      failure.value = PhasorError.from(thrown).message;
    },
  );
  // Whoever restarts a lost engine has another one; why there is none is said by the figure of the sentence.
  effect(() => {
    if (services.restarts.value === 0) return;
    services.engine().then(
      (phasor) => {
        engine.value = phasor;
      },
      () => {},
    );
  });
  shareState(services.group(GROUP));
  keepFirstPicture();
  defineFigure(page);
  followSentence((document.querySelector('#sentence') as PhasorFigure).live);
  define('ph-story', Story);
  define('ph-badge', Badge);
  define('ph-readout', Readout);
  define('ph-strip', Strip);
  define('ph-guide', Guide);
  define('ph-editor', Editor);
  define('ph-rail', Rail);
  define('ph-about', About);
  define('ph-controls', Controls);
  define('ph-views', Views);
  define('ph-tools', Tools);
  define('ph-engine', Engine);
  define('ph-keys', Keys);
  await started;
}
