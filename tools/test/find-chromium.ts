import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** Debian's headless build. */
const SHELL = 'chromium-headless-shell';
/** Without these fonts, Thai, Arabic, Hindi, Japanese and Chinese letters are boxes and wrap differently. */
const FONTS = ['fonts-noto-core', 'fonts-noto-cjk', 'fonts-thai-tlwg'];

function onPath(name: string): string | null {
  const { stdout } = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' });
  return stdout.trim() || null;
}

function runAloud(command: string, parameters: string[], env: NodeJS.ProcessEnv = process.env): boolean {
  return spawnSync(command, parameters, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0;
}

const hasApt = () => process.getuid?.() === 0 && onPath('apt-get') !== null;

function installWithApt(packages: string[]): boolean {
  console.log(`Installing ${packages.join(', ')} from Debian …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  runAloud('apt-get', ['update', '-qq'], env);
  return runAloud('apt-get', ['install', '-y', '-qq', ...packages], env);
}

/** True if a font has Thai letters. A machine may have a browser without such a font. */
function hasFonts(): boolean {
  const { stdout, error } = spawnSync('fc-list', [':lang=th', 'family'], { encoding: 'utf8' });
  return !error && stdout.trim() !== '';
}

/** Finds a Chromium in the path, Debian's if we are root, or Playwright's; null if none can be installed. */
export async function findChromium(): Promise<string | null> {
  if (hasApt() && !hasFonts()) installWithApt(FONTS);
  const found = NAMES.map(onPath).find((path) => path !== null);
  if (found) return found;
  if (hasApt() && installWithApt(['chromium'])) return onPath('chromium');
  console.log('Installing Playwright’s Chromium …');
  if (!runAloud(process.execPath, ['node_modules/@playwright/test/cli.js', 'install', 'chromium'])) return null;
  const { chromium } = await import('@playwright/test');
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

/** Finds Chromium's headless shell, which needs a third less CPU per page; null without a package of it. */
export function findChromiumShell(): string | null {
  if (onPath(SHELL) === null && hasApt()) installWithApt([SHELL]);
  return onPath(SHELL);
}
