// Pasting a config.json: its dialog comes when it is asked for.
import { reportPageError } from '../state/page-error.ts';

export async function openConfig(): Promise<void> {
  try {
    (await import('./config-dialog.ts')).openConfigDialog();
  } catch (thrown) {
    reportPageError(thrown);
  }
}
