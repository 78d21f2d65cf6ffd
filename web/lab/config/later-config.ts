// Loads the dialog for a config.json when it is opened.
import { reportPageError } from '../state/page-error.ts';

export async function openConfig(): Promise<void> {
  try {
    (await import('./config-dialog.ts')).openConfigDialog();
  } catch (thrown) {
    reportPageError(thrown);
  }
}
