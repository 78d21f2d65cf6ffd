// The script of workers with models, separate from worker.ts, so that other pages do not load its glue.

import phasorModel from '#glue-model';
import { serve } from './worker/serve.ts';

serve({ 'phasor-model': phasorModel });
