// <ph-colours>: the choice of the theme, in the header where there is room and in the footer of a phone.
import { signal } from '@preact/signals-core';
import { LabElement } from '../element.ts';
import { narrow } from '../state/ui-state.ts';
import { choiceField } from './fields.ts';
import { CHOICES, chooseTheme, storedTheme, type ThemeChoice } from './theme.ts';

/** A choice in one of the two places is shown in the other. */
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
