// Draws figures in light colours and unfolds all answers while the page is printed.
export function prepareForPrinting(): void {
  const { dataset } = document.documentElement;
  let theme: string | undefined;
  let folded: HTMLDetailsElement[] = [];
  window.addEventListener('beforeprint', () => {
    theme = dataset.theme;
    dataset.theme = 'light';
    folded = [...document.querySelectorAll<HTMLDetailsElement>('main details:not([open])')];
    for (const details of folded) details.open = true;
  });
  window.addEventListener('afterprint', () => {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
    for (const details of folded) details.open = false;
  });
}
