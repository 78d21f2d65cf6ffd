// The offline copy of the site. A service worker stores the site, responds when the server does not, and checks for updates. If the page is
// offline or outdated, a message is displayed.
import { getSiteRoot } from './site-root.ts';
import { SITE_COPY_STRINGS as STRINGS } from './strings.ts';
import './site-copy.css';

/** Minimum time in ms between two checks for updates when an open page is shown again. */
const MIN_INTERVAL_MS = 60 * 60 * 1000;

let noticeElement: HTMLElement | undefined;

/** Displays a message with a button, or removes it if `sentence` is undefined. */
function showNotice(sentence: string | undefined, button?: { readonly name: string; onPress(): void }): void {
  if (sentence === undefined) {
    noticeElement?.remove();
    noticeElement = undefined;
    return;
  }
  if (!noticeElement) {
    noticeElement = document.createElement('p');
    noticeElement.className = 'site-copy-line';
    noticeElement.setAttribute('role', 'status');
    document.body.append(noticeElement);
  }
  noticeElement.textContent = `${sentence} `;
  if (!button) return;
  const buttonElement = document.createElement('button');
  buttonElement.type = 'button';
  buttonElement.textContent = button.name;
  buttonElement.addEventListener('click', button.onPress);
  noticeElement.append(buttonElement);
}

class SiteCopy {
  private isOutdated = false;
  private lastCheckTime = 0;

  constructor(private readonly registration: ServiceWorkerRegistration) {}

  watchForUpdates(): void {
    const serviceWorkers = navigator.serviceWorker;
    // The first worker in a browser serves the same version as this page, so the page is not outdated.
    let isFirstWorker = serviceWorkers.controller === null;
    serviceWorkers.addEventListener('controllerchange', () => {
      if (isFirstWorker) isFirstWorker = false;
      else this.showOutdated(() => location.reload());
    });
    const { registration } = this;
    const onInstalled = (worker: ServiceWorker | null): void => {
      if (worker?.state === 'installed' && serviceWorkers.controller) this.showOutdated(() => this.activate(worker));
    };
    onInstalled(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const worker = registration.installing;
      worker?.addEventListener('statechange', () => onInstalled(worker));
    });
    addEventListener('offline', () => this.showReachability(false));
    addEventListener('online', () => void this.checkForUpdate());
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && Date.now() - this.lastCheckTime > MIN_INTERVAL_MS) void this.checkForUpdate();
    });
    void this.checkForUpdate();
  }

  private async checkForUpdate(): Promise<void> {
    this.lastCheckTime = Date.now();
    try {
      await this.registration.update();
      this.showReachability(true);
    } catch {
      // Without a saved copy, the message “showing your saved copy” would be wrong.
      if (this.registration.active) this.showReachability(false);
    }
  }

  private showReachability(isServerReachable: boolean): void {
    if (!this.isOutdated) showNotice(isServerReachable ? undefined : STRINGS.offlineNotice);
  }

  private showOutdated(reload: () => void): void {
    this.isOutdated = true;
    showNotice(STRINGS.updateAvailable, { name: STRINGS.reload, onPress: reload });
  }

  private activate(worker: ServiceWorker): void {
    // This page reloads when the new worker takes over. Other open pages only display that they are outdated.
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    worker.postMessage({ type: 'SKIP_WAITING' });
  }
}

/** Stores a copy if the browser allows this, which requires a secure connection or localhost. */
export async function saveCopy(): Promise<void> {
  const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } };
  // Save-Data means that the user prefers not to load additional pages.
  if (!('serviceWorker' in navigator) || connection?.saveData) return;
  const root = getSiteRoot();
  new SiteCopy(
    await navigator.serviceWorker.register(new URL('sw.js', root), { scope: root.pathname, updateViaCache: 'none' }),
  ).watchForUpdates();
}
