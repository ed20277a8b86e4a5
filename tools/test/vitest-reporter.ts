import path from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { firstLineOf, reportOutcome, type TestOutcome } from './test-outcome.ts';

const fromRoot = (file: string): string => path.relative(process.cwd(), file);

function placeOf(errors: readonly SerializedError[], file: string): Pick<TestOutcome, 'message' | 'at'> {
  const [error] = errors;
  const frames = (error?.stacks ?? []) as readonly { file: string; line: number }[];
  const frame = frames.find((candidate) => candidate.file === file) ?? frames[0];
  return {
    message: firstLineOf(error?.message ?? 'no error was given'),
    at: frame ? `${fromRoot(frame.file)}:${frame.line}` : fromRoot(file),
  };
}

/** Writes vitest's outcomes in the format that all lanes share. */
export default class OutcomeReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state === 'pending') return;
    const { retryCount = 0, duration = 0 } = test.diagnostic() ?? {};
    const file = test.module.moduleId;
    reportOutcome({
      lane: test.project.name,
      file: fromRoot(file),
      title: test.fullName,
      state,
      tries: retryCount + 1,
      ms: Math.round(duration),
      // A test that passed at a later try still has the errors of the earlier ones.
      ...(errors.length > 0 && placeOf(errors, file)),
    });
  }

  /** If a file cannot be imported, or its set-up or tear-down fails, no test reports it, so this does. */
  onTestModuleEnd(module: TestModule): void {
    const suites = [...module.children.allSuites()].flatMap((suite) => suite.errors());
    const errors = [...module.errors(), ...suites];
    if (errors.length > 0) this.#failFile(module.project.name, module.moduleId, errors);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    for (const error of unhandled) {
      const name = (error as { VITEST_TEST_PATH?: string }).VITEST_TEST_PATH;
      const module = modules.find(({ moduleId }) => moduleId === name) ?? modules[0];
      this.#failFile(module?.project.name ?? 'vitest', name ?? 'vitest.config.ts', [error]);
    }
  }

  #failFile(lane: string, file: string, errors: readonly SerializedError[]): void {
    reportOutcome({
      lane,
      file: fromRoot(file),
      title: '',
      state: 'failed',
      tries: 1,
      ms: 0,
      ...placeOf(errors, file),
    });
  }
}
