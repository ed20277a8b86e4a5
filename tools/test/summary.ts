import type { TestOutcome } from './test-outcome.ts';

/** A step of the run: a check, or all tests of a lane. */
export interface RunStep {
  readonly name: string;
  readonly seconds: number;
  readonly isPassed: boolean;
}

const SLOWEST = 10;

/** Returns the command that runs a failed test alone. */
export function rerunCommandOf({ lane, file, title }: TestOutcome): string {
  const last = title.split(' > ').at(-1) ?? '';
  const name = lane === 'browser' || last === '' ? '' : ` -t '${last.replaceAll(/['"\\$`()[\]{}*+?.^|]/g, '.')}'`;
  return `npm test -- --lane ${lane} ${file}${name}`;
}

/** Returns the steps that failed without a failed test: checks, and commands that could not run. */
export const stepsFailedWithoutTest = (steps: readonly RunStep[], outcomes: readonly TestOutcome[]): RunStep[] =>
  steps.filter(
    ({ name, isPassed }) => !isPassed && !outcomes.some(({ lane, state }) => lane === name && state === 'failed'),
  );

/** Returns the text at the end of a run. Its last line is `N passed, N failed, N skipped`; checks count as tests. */
export function summariseRun(
  steps: readonly RunStep[],
  outcomes: readonly TestOutcome[],
  leftovers: readonly string[],
): string[] {
  const failed = outcomes.filter(({ state }) => state === 'failed');
  const broken = stepsFailedWithoutTest(steps, outcomes);
  const retried = outcomes.filter(({ state, tries }) => state === 'passed' && tries > 1);
  const slowest = outcomes.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { state } of outcomes) counts[state] += 1;
  const checks = steps.filter(({ name }) => !outcomes.some(({ lane }) => lane === name));

  const lines: string[] = [];
  const section = (title: string, rows: readonly string[]): void => {
    if (rows.length > 0) lines.push('', title, ...rows.map((row) => `  ${row}`));
  };
  section('Failed:', [
    ...broken.map(({ name }) => `${name}: its output is above`),
    ...failed.flatMap((outcome) => [
      `${outcome.lane} ${outcome.at ?? outcome.file} › ${outcome.title}`,
      `  ${outcome.message}`,
      `  alone: ${rerunCommandOf(outcome)}`,
    ]),
  ]);
  section('Left behind, and removed:', leftovers);
  section(
    'Passed at a later try:',
    retried.flatMap(({ lane, file, title, tries, at, message }) => [
      `${lane} ${at ?? file} › ${title} (try ${tries})`,
      ...(message === undefined ? [] : [`  ${message}`]),
    ]),
  );
  section(
    'Slowest tests:',
    slowest.map(({ lane, file, title, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${lane} ${file} › ${title}`),
  );
  section(
    'Seconds:',
    steps.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(6)}  ${name}`),
  );
  const failures = counts.failed + broken.length;
  const passed = counts.passed + checks.filter(({ isPassed }) => isPassed).length;
  lines.push('', `${passed} passed, ${failures} failed, ${counts.skipped} skipped`);
  return lines;
}
