// <ph-colours>: the select for the theme, in the header or, on a narrow screen, in the footer.
import { signal } from '@preact/signals-core';
import { LabElement } from '../element.ts';
import { isNarrow } from '../state/ui-state.ts';
import { renderChoiceField } from './fields.ts';
import { chooseTheme, readStoredTheme, THEME_CHOICES, type ThemeChoice } from './theme.ts';

/** The current choice, shared by the selects in the header and in the footer. */
const theme = signal(readStoredTheme());

function onChoose(choice: ThemeChoice): void {
  theme.value = choice;
  chooseTheme(choice);
}

export class ThemeSelect extends LabElement {
  protected override render() {
    this.hidden = isNarrow.value !== (this.closest('footer') !== null);
    return renderChoiceField({
      name: 'theme',
      id: this.closest('footer') ? 'theme-below' : 'theme',
      label: 'Colours',
      value: theme.value,
      choices: THEME_CHOICES,
      set: onChoose,
    });
  }
}
