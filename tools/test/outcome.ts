import { appendFileSync } from 'node:fs';

/** How one test of a lane ended. The reporters write one a line as JSON, the summary reads them. */
export interface Outcome {
  readonly lane: string;
  /** The test's file, from the root. */
  readonly file: string;
  /** Its title with those of its suites; empty where the file itself failed. */
  readonly title: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  /** How often it was tried; 2 or more that passed is a second try. */
  readonly tries: number;
  readonly ms: number;
  /** The first line of what failed at the last failed try, and `file:line` of it. */
  readonly message?: string;
  readonly at?: string;
}

/** The first line of an error's message, without colours. */
export const firstLine = (message: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with the escape character
  (message.replaceAll(/\u001b\[[0-9;]*m/g, '').split('\n')[0] ?? '').slice(0, 300);

/** Appends an outcome to the file of the run, and prints a failed one at once. */
export function report(outcome: Outcome): void {
  if (outcome.state === 'failed')
    console.log(`✘ ${outcome.lane} ${outcome.at ?? outcome.file} › ${outcome.title}: ${outcome.message}`);
  const file = process.env.TEST_OUTCOMES;
  if (file) appendFileSync(file, `${JSON.stringify(outcome)}\n`);
}
