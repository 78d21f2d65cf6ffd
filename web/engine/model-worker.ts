// The script of workers that run models. It is separate from worker.ts, so that pages without models do not load the glue code of
// phasor-model.

import phasorModel from '#glue-model';
import { serve } from './worker/serve.ts';

serve({ 'phasor-model': phasorModel });
