import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { refuse } from '@sathorn/settlement';
import type { RedrawAnswer, RedrawQuestion, RedrawWork } from './redraw-child.ts';

/** Longer than the decoder's own limit of 15 s, because on a busy machine a child of low priority starts slowly. */
const ANSWER_MAX_MS = 60_000;
/** An idle child is ended, to free its memory. */
const IDLE_MS = 60_000;
/** The limit of the JavaScript heap. Pixels are outside it and are bounded by the limits on pictures. */
const HEAP_MB = 128;
const REPOSITORY = path.resolve(import.meta.dirname, '../../../../..');

/** The child may read these paths only: the repository may contain the data folder with its secrets. */
const READABLE = [
  'node_modules',
  'packages',
  'apps/server/src/platform/files',
  'apps/server/package.json',
  'package.json',
];

interface Asked {
  readonly resolve: (answer: RedrawAnswer) => void;
  readonly timer: NodeJS.Timeout;
}

export interface PictureDrawer {
  /** Rejects if the child could not be started, or failed for a reason other than the picture. */
  draw(work: RedrawWork, bytes: Buffer): Promise<RedrawAnswer>;
  /** Its current process id; null while none runs. */
  pid(): number | null;
  close(): void;
}

/**
 * The child's permissions: it may only read its own code. An attacker who takes over a decoder would next want files,
 * programs or threads.
 */
function permissions(): string[] {
  return [
    '--permission',
    ...READABLE.map((name) => `--allow-fs-read=${path.join(REPOSITORY, name)}`),
    // libvips is a native library.
    '--allow-addons',
    '--no-warnings',
    `--max-old-space-size=${HEAP_MB}`,
  ];
}

/**
 * Decodes strangers' pictures in a separate process that has low priority, no secrets, no database, no environment
 * variables, and no files except its code. The process starts when a picture arrives, restarts after it died, and ends
 * after an idle time. A picture that kills it counts as unreadable, and one that stalls it as too slow. Other pictures
 * fail only if they were being decoded at the same time.
 */
export function openPictureDrawer(
  script = path.join(import.meta.dirname, 'redraw-child.ts'),
  answerMaxMs = ANSWER_MAX_MS,
): PictureDrawer {
  let child: ChildProcess | null = null;
  let idle: NodeJS.Timeout | undefined;
  let asked = 0;
  let answers = new Map<number, Asked>();

  const end = (): void => {
    clearTimeout(idle);
    child?.kill('SIGKILL');
    child = null;
  };

  const launch = (): ChildProcess => {
    const launched = fork(script, [], {
      env: {},
      execArgv: permissions(),
      cwd: REPOSITORY,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const own = answers;
    const settle = (number: number, answer: RedrawAnswer): void => {
      const one = own.get(number);
      if (one === undefined) return;
      own.delete(number);
      clearTimeout(one.timer);
      one.resolve(answer);
      if (own.size > 0 || child !== launched) return;
      idle = setTimeout(end, IDLE_MS).unref();
      launched.unref();
      launched.channel?.unref();
    };
    const abandon = (): void => {
      for (const number of [...own.keys()]) settle(number, refuse('picture_unreadable'));
      if (child !== launched) return;
      child = null;
      answers = new Map();
    };
    launched.on('message', (message) => {
      const { number, answer } = message as { number: number; answer: RedrawAnswer };
      settle(number, answer);
    });
    launched.on('error', abandon);
    launched.on('exit', abandon);
    try {
      if (launched.pid !== undefined) os.setPriority(launched.pid, os.constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Lowering the priority is not permitted on every system, and nothing depends on it.
    }
    return launched;
  };

  return {
    draw: (work, bytes) =>
      new Promise((resolve) => {
        clearTimeout(idle);
        if (child === null) answers = new Map();
        child ??= launch();
        child.ref();
        child.channel?.ref();
        const number = ++asked;
        // Killing a stalled child rejects all its requests.
        const timer = setTimeout(() => {
          resolve(refuse('picture_slow'));
          end();
        }, answerMaxMs);
        answers.set(number, { resolve, timer });
        const question: RedrawQuestion = { number, work, bytes };
        child.send(question, (error) => error && end());
      }),
    pid: () => child?.pid ?? null,
    close: end,
  };
}
