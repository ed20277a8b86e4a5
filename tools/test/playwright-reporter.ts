import path from 'node:path';
import type { Reporter, TestCase, TestError, TestResult } from '@playwright/test/reporter';
import { firstLineOf, reportOutcome } from './test-outcome.ts';

const fromRoot = (file: string): string => path.relative(process.cwd(), file);

/** Writes Playwright's outcomes in the format that all lanes share. */
export default class OutcomeReporter implements Reporter {
  onTestEnd(test: TestCase, result: TestResult): void {
    const isPassed = result.status === test.expectedStatus;
    if (!isPassed && result.status !== 'skipped' && result.retry < test.retries) return;
    const { file, line } = test.location;
    const at = result.error?.location ?? test.location;
    reportOutcome({
      lane: 'browser',
      file: `${fromRoot(file)}:${line}`,
      title: test.titlePath().slice(3).join(' › '),
      state: result.status === 'skipped' ? 'skipped' : isPassed ? 'passed' : 'failed',
      tries: result.retry + 1,
      ms: result.duration,
      ...(!isPassed && {
        message: firstLineOf(result.error?.message ?? result.status),
        at: `${fromRoot(at.file)}:${at.line}`,
      }),
    });
  }

  /** Reports errors outside tests, such as a server that did not start. */
  onError(error: TestError): void {
    const at = error.location ? `${fromRoot(error.location.file)}:${error.location.line}` : 'playwright.config.ts';
    const message = firstLineOf(error.message ?? 'no error was given');
    reportOutcome({
      lane: 'browser',
      file: 'playwright.config.ts',
      title: '',
      state: 'failed',
      tries: 1,
      ms: 0,
      message,
      at,
    });
  }

  printsToStdio(): boolean {
    return true;
  }
}
