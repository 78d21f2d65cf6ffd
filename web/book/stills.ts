// Inserts static pictures before they scroll into view, or all of them before printing. All pictures except the first are in <noscript>, so that the
// browser does not decode them while it renders the first text.

/**
 * Viewport margin for inserting static pictures. It is larger than the margin for interactive figures (web/figure/element/start-figure.ts), so that
 * the static picture appears first.
 */
const ROOT_MARGIN = '200% 0px';

const placePicture = (figure: Element): void => {
  const noscript = figure.querySelector(':scope > noscript');
  // With scripts enabled, <noscript> contains plain text. It is safe to parse, because the build generated it.
  noscript?.replaceWith(document.createRange().createContextualFragment(noscript.textContent));
};

export function placePictures(): void {
  const figures = [...document.querySelectorAll('phasor-figure')].filter((figure) => figure.querySelector(':scope > noscript'));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        placePicture(target);
      }
    },
    { rootMargin: ROOT_MARGIN },
  );
  for (const figure of figures) observer.observe(figure);
  addEventListener('beforeprint', () => figures.forEach(placePicture), { once: true });
}
