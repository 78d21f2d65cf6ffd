// The browsers of this machine: those that PHASOR_CHROMIUM, PHASOR_HEADLESS_SHELL and PHASOR_FIREFOX name, or those on the PATH, or those in the folder of applications of macOS
// (which could not be tried). Node's built-in modules only, because setup.mjs asks before there are packages.
import { isProgram, onPath } from '../run.mjs';

/**
 * Finds a browser.
 * @param {string} variable of the environment
 * @param {string[]} names of programs
 * @param {string[]} applications paths of programs
 * @returns {string | undefined} its path
 */
function find(variable, names, applications) {
  const requested = process.env[variable];
  if (requested) {
    if (!isProgram(requested))
      throw new Error(`${variable}: ${requested} is not a program that can be started; expected the whole path of a browser`);
    return requested;
  }
  return onPath(...names) ?? applications.find(isProgram);
}

export const chromiumPath = () =>
  find(
    'PHASOR_CHROMIUM',
    ['chromium', 'chromium-browser', 'google-chrome'],
    ['/Applications/Chromium.app/Contents/MacOS/Chromium', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'],
  );

/** Chromium without its window, where a system has it (Debian, Ubuntu): the same engine for half the processor time. */
const headlessShellPath = () => find('PHASOR_HEADLESS_SHELL', ['chromium-headless-shell', 'chrome-headless-shell'], []);

export const firefoxPath = () => find('PHASOR_FIREFOX', ['firefox-esr', 'firefox'], ['/Applications/Firefox.app/Contents/MacOS/firefox']);

/** The option of Playwright for a browser. @param {string | undefined} path */
const executable = (path) => (path ? { executablePath: path } : {});

/** How Playwright starts Chromium: without its own downloads, also as root in a container, and without update checks. */
export const chromiumOptions = (/** @type {string[]} */ more = []) => ({
  ...executable(chromiumPath()),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', ...more],
});

/** The same for tests, which open a thousand pages: the browser from the environment, else the headless shell if it is installed. */
export const chromiumForTests = (/** @type {string[]} */ more = []) => ({
  ...chromiumOptions(more),
  ...executable((process.env.PHASOR_CHROMIUM ? undefined : headlessShellPath()) ?? chromiumPath()),
});

/**
 * Firefox over WebDriver BiDi, which distributions' builds support. Processes are not preallocated for the next page: each test would start one
 * more.
 */
export const firefoxOptions = () => ({
  channel: 'moz-firefox',
  ...executable(firefoxPath()),
  firefoxUserPrefs: { 'dom.ipc.processPrelaunch.enabled': false },
});
