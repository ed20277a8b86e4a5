import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const EXCLUDED = ['**/node_modules/**', '**/dist/**', 'apps/web/e2e/**', 'apps/console/e2e/**'];
const CLUSTER = ['apps/server/src/platform/database/testing-cluster.ts'];
/** Upper bounds that end a test that hangs, not expectations: a busy machine may be many times slower. */
const BOUNDS = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** Node runs the server's files as it does in a deployment; nothing transforms them. */
const NATIVE = { viteModuleRunner: false, nodeLoader: false };

/** Tests that mostly wait. */
const WAITING = /(people\/scenes|whole\/log)\.faults\.test\.ts$/;

/** Begins with the tests that wait, so that none of them runs alone at the end. Otherwise large files come first. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isWaiting = ({ moduleId }: TestSpecification): boolean => WAITING.test(moduleId);
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))];
  }
}

/** The lanes of `npm test -- --lane …`. A test's folder and file name determine its lane. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 3,
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        // For engines, the app's logic and the tools: no database, no process.
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
        // For tests that kill, freeze and flood whole servers and databases.
        test: {
          name: 'faults',
          include: ['apps/server/**/*.faults.test.ts'],
          exclude: EXCLUDED,
          globalSetup: CLUSTER,
          ...BOUNDS,
          experimental: NATIVE,
          // Retries tests that wait for a real clock, because servers share two cores with the tests.
          retry: 2,
        },
      },
    ],
  },
});
