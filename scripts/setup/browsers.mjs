// The browsers of this machine: those that PHASOR_CHROMIUM, PHASOR_HEADLESS_SHELL and PHASOR_FIREFOX name, or those on the PATH, or those in the folder of applications of macOS
// (which could not be tried). Node's built-in modules only, because setup.mjs asks before there are packages.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const isProgram = (path) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

function find(variable, names, applications) {
  const asked = process.env[variable];
  if (asked) {
    if (!isProgram(asked)) throw new Error(`${variable}: ${asked} is no program that can be started; name the browser by its whole path`);
    return asked;
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const paths = [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...applications];
  return paths.find(isProgram);
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

/** How Playwright starts Chromium: without its own downloads, also as root in a container, and asking nobody for updates. */
export const chromiumOptions = (more = []) => ({
  executablePath: chromiumPath(),
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', ...more],
});

/** The same for tests, which open a thousand pages: a browser that is named is that one, else the shell if there is one. */
export const chromiumForTests = (more = []) => ({
  ...chromiumOptions(more),
  executablePath: (process.env.PHASOR_CHROMIUM ? undefined : headlessShellPath()) ?? chromiumPath(),
});

/** Firefox over WebDriver BiDi, which the one of the system speaks. No process is kept ready for a next page: each test would start one more. */
export const firefoxOptions = () => ({
  channel: 'moz-firefox',
  executablePath: firefoxPath(),
  firefoxUserPrefs: { 'dom.ipc.processPrelaunch.enabled': false },
});
