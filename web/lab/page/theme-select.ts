// <ph-colours>: the choice of the theme, in the header if there is space and in the footer on a phone.
import { signal } from '@preact/signals-core';
import { LabElement } from '../element.ts';
import { narrow } from '../state/ui-state.ts';
import { choiceField } from './fields.ts';
import { CHOICES, chooseTheme, storedTheme, type ThemeChoice } from './theme.ts';

/** Shared, so that both selects show the same choice. */
const theme = signal(storedTheme());

function choose(choice: ThemeChoice): void {
  theme.value = choice;
  chooseTheme(choice);
}

export class Colours extends LabElement {
  protected override render() {
    this.hidden = narrow.value !== (this.closest('footer') !== null);
    return choiceField({
      name: 'theme',
      id: this.closest('footer') ? 'theme-below' : 'theme',
      label: 'Colours',
      value: theme.value,
      words: CHOICES,
      set: choose,
    });
  }
}
