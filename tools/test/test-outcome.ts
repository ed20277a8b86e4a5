import { appendFileSync } from 'node:fs';

/** The result of one test. The reporters write one per line as JSON, and the summary reads them. */
export interface TestOutcome {
  readonly lane: string;
  /** The test's file, from the root. */
  readonly file: string;
  /** The test's title after those of its suites; empty if the file itself failed. */
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** The number of tries. A passed test with 2 or more failed at first. */
  readonly tries: number;
  readonly ms: number;
  /** The first line of the last failed try's error, and its `file:line`. */
  readonly message?: string;
  readonly at?: string;
}

/** The first line of an error's message, without colours. */
export const firstLineOf = (message: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
  (message.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n')[0] ?? '').slice(0, 300);

/** Appends an outcome to the file of the run, and prints a failed one at once. */
export function reportOutcome(outcome: TestOutcome): void {
  if (outcome.state === 'failed')
    console.log(`✘ ${outcome.lane} ${outcome.at ?? outcome.file} › ${outcome.title}: ${outcome.message}`);
  const file = process.env.TEST_OUTCOMES;
  if (file) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}
