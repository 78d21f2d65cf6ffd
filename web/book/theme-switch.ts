// The choice of colours, shared with the Lab.
import { CHOICES, chooseTheme, storedTheme } from '../lab/page/theme.ts';

export function themeSwitch(): void {
  const label = document.querySelector<HTMLElement>('.theme');
  const select = label?.querySelector('select');
  if (!label || !select) return;
  label.hidden = false;
  select.value = storedTheme();
  select.addEventListener('change', () => chooseTheme(CHOICES.find((choice) => choice === select.value) ?? 'system'));
}
