import { defineConfig } from 'vitest/config';

const EXCLUDED = ['**/node_modules/**', '**/dist/**', 'apps/web/e2e/**', 'apps/console/e2e/**'];
const CLUSTER = ['apps/server/src/platform/database/testing-cluster.ts'];
/** Upper bounds that end a test that hangs. They are no expectations: a busy machine may be many times slower. */
const BOUNDS = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** Node runs the server's files as it does in a deployment; nothing transforms them. */
const NATIVE = { viteModuleRunner: false, nodeLoader: false };

/** The lanes of `npm test -- --lane …`. A test's place and name say which one it is in. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    projects: [
      {
        // Engines, the app's logic, the tools: no database, no process.
        test: {
          name: 'pure',
          include: [
            'packages/**/*.test.ts',
            'apps/web/**/*.test.ts',
            'apps/console/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
          exclude: [...EXCLUDED, 'tools/simulate/**'],
          ...BOUNDS,
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts', 'tools/simulate/**/*.test.ts'],
          exclude: [...EXCLUDED, '**/*.faults.test.ts'],
          globalSetup: CLUSTER,
          ...BOUNDS,
          isolate: false,
          experimental: NATIVE,
        },
      },
      {
        // Whole servers and databases that are killed, frozen and flooded.
        test: {
          name: 'faults',
          include: ['apps/server/**/*.faults.test.ts'],
          exclude: EXCLUDED,
          globalSetup: CLUSTER,
          ...BOUNDS,
          experimental: NATIVE,
          // What waits for a real clock is tried again: servers share two cores with the tests.
          retry: 2,
        },
      },
    ],
  },
});
