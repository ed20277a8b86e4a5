import { type ChildProcess, fork } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { refuse } from '@sathorn/settlement';
import type { Redraw, RedrawAnswer, RedrawQuestion } from './redraw-child.ts';

/** Longer than the decoder's own limit of 15 s. */
const ANSWER_MAX_MS = 20_000;
/** An idle child is ended, to free its memory. */
const IDLE_MS = 60_000;
/** The limit of the JavaScript heap. Pixels are outside it and bounded by the limits on pictures. */
const HEAP_MB = 128;
const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');

/** Not the whole repository, which may contain the data folder and its secrets. */
const READABLE = ['node_modules', 'packages', 'apps/server/src/files', 'apps/server/package.json', 'package.json'];

interface Asked {
  readonly resolve: (answer: RedrawAnswer) => void;
  readonly timer: NodeJS.Timeout;
}

export interface Drawer {
  /** Rejects when the child could not be started, or failed for a reason other than the picture. */
  draw(work: Redraw, bytes: Buffer): Promise<RedrawAnswer>;
  /** Its process id now, or null while there is none. */
  pid(): number | null;
  close(): void;
}

/**
 * The child's permissions. A decoder under an attacker's control would next want files, programs or threads; the child
 * only needs to read its own code.
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
 * Strangers' pictures are decoded in a process of their own: no secret, no database, no variables of ours, no files but
 * its code, at low priority. It is started when there is a picture, again after it died, and ended when it has had none
 * for a while. A picture at which it dies or stalls is unreadable; nobody else's is lost for it but those that it was
 * drawing at the same time.
 */
export function drawnByChild(
  script = path.join(import.meta.dirname, 'redraw-child.ts'),
  answerMaxMs = ANSWER_MAX_MS,
): Drawer {
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
      // Not allowed everywhere, and nothing depends on it.
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
        // A stalled child is ended, which answers all its requests.
        const timer = setTimeout(end, answerMaxMs);
        answers.set(number, { resolve, timer });
        const question: RedrawQuestion = { number, work, bytes };
        child.send(question, (error) => error && end());
      }),
    pid: () => child?.pid ?? null,
    close: end,
  };
}
