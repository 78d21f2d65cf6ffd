// Finds the browsers of this machine: those named by PHASOR_CHROMIUM, PHASOR_HEADLESS_SHELL and PHASOR_FIREFOX, else those on the PATH, else those
// in /Applications of macOS (untested). It uses only Node's built-in modules, because setup.mjs needs it before packages are installed.
import { isProgram, onPath } from '../run.mjs';

/**
 * Finds a browser.
 * @param {string} variable the environment variable that overrides the search
 * @param {string[]} names of programs on the PATH
 * @param {string[]} applications full paths of programs
 * @returns {string | undefined} its path
 */
function find(variable, names, applications) {
  const requested = process.env[variable];
  if (requested) {
    if (!isProgram(requested))
      throw new Error(`${variable}: ${requested} is not a program that can be started; expected the full path of a browser`);
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

/** Chromium without a window, if the system has it (Debian, Ubuntu): the same engine for half the processor time. */
const headlessShellPath = () => find('PHASOR_HEADLESS_SHELL', ['chromium-headless-shell', 'chrome-headless-shell'], []);

export const firefoxPath = () => find('PHASOR_FIREFOX', ['firefox-esr', 'firefox'], ['/Applications/Firefox.app/Contents/MacOS/firefox']);

/** Playwright's option for the path of a browser. @param {string | undefined} path */
const executable = (path) => (path ? { executablePath: path } : {});

/** Launch options of Playwright for the installed Chromium. It also works as root in a container, and does not check for updates. */
export const chromiumOptions = (/** @type {string[]} */ more = []) => ({
  ...executable(chromiumPath()),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', ...more],
});

/** Options for tests: PHASOR_CHROMIUM if it is set, else the headless shell if it is installed, because tests open a thousand pages. */
export const chromiumForTests = (/** @type {string[]} */ more = []) => ({
  ...chromiumOptions(more),
  ...executable((process.env.PHASOR_CHROMIUM ? undefined : headlessShellPath()) ?? chromiumPath()),
});

/**
 * Launch options for Firefox over WebDriver BiDi, which the builds of distributions support. Processes are not preallocated, because each test would
 * start one more.
 */
export const firefoxOptions = () => ({
  channel: 'moz-firefox',
  ...executable(firefoxPath()),
  firefoxUserPrefs: { 'dom.ipc.processPrelaunch.enabled': false },
});
