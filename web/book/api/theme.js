// The colours that were chosen on the site, before the page is seen. TypeDoc keeps its own choice, which counts where there is one.
{
  let theme = 'os';
  try {
    const chosen = localStorage.getItem('phasor-theme');
    theme = localStorage.getItem('tsd-theme') ?? (chosen === 'light' || chosen === 'dark' ? chosen : 'os');
  } catch {}
  document.documentElement.dataset.theme = theme;
}
