import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineConfig } from '@playwright/test';

// Every worker reads this file again, and all must use the same ports and folder.
for (const name of ['E2E_PORT', 'E2E_PRACTICE_PORT'])
  if (process.env[name] === undefined) {
    const server = createServer().listen(0);
    await once(server, 'listening');
    process.env[name] = String((server.address() as AddressInfo).port);
    server.close();
  }
const port = Number(process.env.E2E_PORT);
if (process.env.E2E_DATA_DIR === undefined) {
  const folder = mkdtempSync(path.join(tmpdir(), 'sathorn-e2e-'));
  // If run by root, the database's own user must be able to enter the folder. Otherwise the server would put the
  // database elsewhere and leave it there.
  chmodSync(folder, 0o755);
  process.env.E2E_DATA_DIR = folder;
  // A global teardown is too early, because the server still uses the folder then.
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
}

const chromium = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A host other than localhost, to test without what browsers give only to https.
  '--host-resolver-rules=MAP phone.test 127.0.0.1',
];
const whole = process.env.CHROMIUM ?? '/usr/bin/chromium';
const launched = (...more: string[]) => ({
  launchOptions: { executablePath: process.env.CHROMIUM_SHELL ?? whole, args: [...chromium, ...more] },
});

/** Tests whose notices, pauses and rates reach all customers, or that use up a demo customer's limits. */
const AT_THE_END = /console\/e2e\/(content|offer|queues|treasury)/;
/** Tests that only look and confirm nothing, so they need no authenticator code. */
const LOOKING = /console\/e2e\/(approvals|keys|looks|planted)/;
const desk = {
  testDir: 'apps/console/e2e',
  use: {
    ...launched(),
    viewport: { width: 1440, height: 900 },
    hasTouch: false,
    isMobile: false,
    locale: 'en-GB',
  },
};

/**
 * Runs the real platform with its own empty database, and the app that it serves, in a real browser at the width of a
 * phone. The operators' console runs at the width of a desktop.
 */
export default defineConfig({
  testDir: 'apps/web/e2e',
  outputDir: 'test-results',
  // Upper bounds that end a test that hangs. They are not expectations.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  workers: 3,
  fullyParallel: true,
  globalSetup: './apps/console/e2e/global-setup.ts',
  reporter: [['list']],
  use: {
    baseURL: `http://localhost:${port}`,
    // An element that cannot be pressed fails after this time, not after the test's ten minutes.
    actionTimeout: 120_000,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'th-TH',
    timezoneId: 'Asia/Bangkok',
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
  },
  projects: [
    // Each project has one worker, because a code is valid once in 30 seconds and the tests share the demo's operators.
    { ...desk, name: 'console', testIgnore: [AT_THE_END, LOOKING], workers: 1 },
    { ...desk, name: 'console, looked at', testMatch: LOOKING },
    { name: 'phone', testIgnore: /(large|double)-text|push/, use: launched() },
    { name: 'large text', testMatch: /large-text/, use: launched('--blink-settings=defaultFontSize=24') },
    { name: 'double text', testMatch: /double-text/, use: launched('--blink-settings=defaultFontSize=32') },
    // The headless shell does not show notifications, so this project uses the whole browser.
    { name: 'notifications', testMatch: /push/, use: { launchOptions: { executablePath: whole, args: chromium } } },
    {
      ...desk,
      name: 'console, at the end',
      testMatch: AT_THE_END,
      workers: 1,
      dependencies: ['console', 'console, looked at', 'phone', 'large text', 'double text', 'notifications'],
    },
  ],
  webServer: {
    command: `"${process.execPath}" apps/server/src/main.ts`,
    url: `http://localhost:${port}/api/health`,
    timeout: 60_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 20_000 },
    env: {
      PORT: String(port),
      DATA_DIR: process.env.E2E_DATA_DIR,
      SIM_SEED: 'e2e',
      RATE_LIMIT: '100000',
      DEMO_PEOPLE: '0',
      // The practice platform itself runs only while its tests do.
      PRACTICE_URL: `http://localhost:${process.env.E2E_PRACTICE_PORT}`,
    },
  },
});
