// Switches to light colours and opens all answers while the page is printed.
export function prepareForPrinting(): void {
  const { dataset } = document.documentElement;
  let previousTheme: string | undefined;
  let closedAnswers: HTMLDetailsElement[] = [];
  window.addEventListener('beforeprint', () => {
    previousTheme = dataset.theme;
    dataset.theme = 'light';
    closedAnswers = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
    for (const details of closedAnswers) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    if (previousTheme === undefined) delete dataset.theme;
    else dataset.theme = previousTheme;
    for (const details of closedAnswers) details.open = false;
  });
}
