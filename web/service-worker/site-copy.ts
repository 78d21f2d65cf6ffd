// The copy of the site in the browser: a service worker stores all of it once, responds when the server does not, and checks for updates.
// The page shows a line about the copy if it is not the latest version of the server.
import { siteRoot } from './site-root.ts';
import { SITE_COPY_STRINGS as STRINGS } from './strings.ts';
import './site-copy.css';

/** Minimum interval in ms between checks when an open page is shown again. */
const MIN_INTERVAL = 60 * 60 * 1000;

let line: HTMLElement | undefined;

/** Shows one sentence with a button for an action, or removes it. */
function showLine(sentence: string | undefined, button?: { readonly name: string; press(): void }): void {
  if (sentence === undefined) {
    line?.remove();
    line = undefined;
    return;
  }
  if (!line) {
    line = document.createElement('p');
    line.className = 'site-copy-line';
    line.setAttribute('role', 'status');
    document.body.append(line);
  }
  line.textContent = `${sentence} `;
  if (!button) return;
  const element = document.createElement('button');
  element.type = 'button';
  element.textContent = button.name;
  element.addEventListener('click', button.press);
  line.append(element);
}

class Copy {
  private isOutdated = false;
  private looked = 0;

  constructor(private readonly registration: ServiceWorkerRegistration) {}

  follow(): void {
    const workers = navigator.serviceWorker;
    // The first worker in a browser serves the same version as this page.
    let isFirst = workers.controller === null;
    workers.addEventListener('controllerchange', () => {
      if (isFirst) isFirst = false;
      else this.outdated(() => location.reload());
    });
    const { registration } = this;
    const installed = (worker: ServiceWorker | null): void => {
      if (worker?.state === 'installed' && workers.controller) this.outdated(() => this.replace(worker));
    };
    installed(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => installed(worker));
    });
    addEventListener('offline', () => this.reached(false));
    addEventListener('online', () => void this.look());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && Date.now() - this.looked > MIN_INTERVAL) void this.look();
    });
    void this.look();
  }

  /** Checks the server for a newer copy. */
  private async look(): Promise<void> {
    this.looked = Date.now();
    try {
      await this.registration.update();
      this.reached(true);
    } catch {
      // Before a copy exists, nothing is reported.
      if (this.registration.active) this.reached(false);
    }
  }

  private reached(isReached: boolean): void {
    if (!this.isOutdated) showLine(isReached ? undefined : STRINGS.offline);
  }

  private outdated(reload: () => void): void {
    this.isOutdated = true;
    showLine(STRINGS.outdated, { name: STRINGS.reload, press: reload });
  }

  private replace(worker: ServiceWorker): void {
    // Other open pages of the site show that they are outdated.
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    worker.postMessage({ type: 'SKIP_WAITING' });
  }
}

/** Stores a copy if browsers allow it: on secure connections and on localhost. */
export async function keepCopy(): Promise<void> {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  // With Save-Data, the reader prefers not to load other pages.
  if (!('serviceWorker' in navigator) || connection?.saveData) return;
  const root = siteRoot();
  new Copy(await navigator.serviceWorker.register(new URL('sw.js', root), { scope: root.pathname, updateViaCache: 'none' })).follow();
}
