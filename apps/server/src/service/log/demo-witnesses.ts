import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type VerifierKey, writeVerifierKey } from '@sathorn/transparency';

const WITNESS = path.resolve(import.meta.dirname, '../../../../../tools/witness/main.ts');
const COUNT = 2;
const AGAIN_MS = 1_000;

interface DemoWitnesses {
  /** A policy that asks for all of them. */
  readonly policy: string;
  /** The address of a witness now, by its name in the policy. */
  urlOf(name: string): string | null;
  stop(): Promise<void>;
}

// The channel ends with this process, and a witness with its channel.
const run = (...args: readonly string[]): ChildProcess =>
  fork(WITNESS, args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });

/** What a witness printed when it was ready: its line of a policy, and its address. */
async function readyLines(child: ChildProcess): Promise<{ line: string; url: string }> {
  const said: string[] = [];
  if (child.stdout === null) throw new Error('a witness without output');
  for await (const text of createInterface({ input: child.stdout })) {
    said.push(text);
    if (said.length === 2) break;
  }
  const [line, address] = said;
  const url = address?.split(' at ').at(-1);
  if (line === undefined || url === undefined) throw new Error('a witness of this demonstration did not start');
  return { line, url };
}

/** The witnesses of a demonstration: processes of this machine, which the pages call so. */
export async function startDemoWitnesses(
  folder: string,
  log: VerifierKey,
  alarm: (what: string) => void,
): Promise<DemoWitnesses> {
  const urls = new Map<string, string>();
  const children = new Set<ChildProcess>();
  let isStopping = false;

  const launch = async (n: number): Promise<string> => {
    const place = path.join(folder, `witness-${n}`);
    if (!existsSync(path.join(place, 'key')))
      await once(run('init', '--folder', place, '--name', `localhost/witness-${n}`), 'exit');
    const child = run('--folder', place, '--log', writeVerifierKey(log), '--port', '0');
    children.add(child);
    const { line, url } = await readyLines(child);
    const name = line.split(' ')[1] ?? '';
    urls.set(name, url);
    child.once('exit', () => {
      children.delete(child);
      urls.delete(name);
      if (isStopping) return;
      alarm(`witness ${n} of this demonstration ended; starting it again`);
      launchAgain(n);
    });
    return line;
  };
  const launchAgain = (n: number): void => {
    setTimeout(() => {
      if (isStopping) return;
      launch(n).catch((error: unknown) => {
        alarm(String(error));
        launchAgain(n);
      });
    }, AGAIN_MS).unref();
  };

  const lines = await Promise.all(Array.from({ length: COUNT }, (_, n) => launch(n + 1)));
  const names = lines.map((line) => line.split(' ')[1]);
  return {
    policy: [...lines, `group all-of-them all ${names.join(' ')}`, 'quorum all-of-them'].join('\n'),
    urlOf: (name) => urls.get(name) ?? null,
    async stop() {
      isStopping = true;
      await Promise.all(
        [...children].map((child) => {
          const ended = once(child, 'exit');
          child.kill('SIGTERM');
          return ended;
        }),
      );
    },
  };
}
