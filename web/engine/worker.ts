import phasor from '#glue';
import phasorNn from '#glue-nn';
import { serve } from './worker/serve.ts';

serve({ phasor, 'phasor-nn': phasorNn });
