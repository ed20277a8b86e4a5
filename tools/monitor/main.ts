/**
 * `npx sathorn-monitor --server URL --folder DIR [--once] [--every SECONDS] [--policy FILE]`
 *
 * Reads a platform's public log, follows it, and compares it with everything that the platform shows to anybody: chains
 * of prices, sums of liabilities, keys, terms, boxes and their draws, bank statements, trades and order books. It signs
 * what it finds and blocks nothing. It needs no account and no code of the platform's server, and belongs on a machine
 * of somebody else than the platform's (docs/verification.md, section 26).
 *
 * The folder contains its key (`key`, for its owner only), the policy by which it judges (`policy`; the first visit
 * pins the one that the platform serves, unless `--policy` names another), how far it has read (`memory.json`), and
 * `findings.json`, which is for everybody.
 *
 * `--once` makes one visit and exits with 0 if nothing was found, 1 if something was, 2 if something could not be read.
 * Otherwise it goes on, with a visit every `--every` seconds (60), and listens to the order books in between.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readWitnessPolicy } from '@sathorn/transparency';
import { askServer } from '../verify/public-chain.ts';
import { listenToBooks } from './listen-to-books.ts';
import { openMonitor } from './monitor.ts';
import { openMonitorFolder } from './monitor-folder.ts';
import { openLogFiles } from './read-log.ts';

const USAGE =
  'usage: npx sathorn-monitor --server https://platform.example --folder DIR [--once] [--every SECONDS] [--policy FILE]';
/** What was heard of the order books is in memory until it is judged. */
const LISTEN_MS = 60_000;
/** How long a single visit listens. */
const LISTEN_ONCE_MS = 10_000;

function stop(line: string): never {
  console.error(line);
  process.exit(2);
}

const { values } = (() => {
  try {
    return parseArgs({
      options: {
        server: { type: 'string' },
        folder: { type: 'string' },
        once: { type: 'boolean', default: false },
        every: { type: 'string', default: '60' },
        policy: { type: 'string' },
      },
    });
  } catch {
    return stop(USAGE);
  }
})();

/** A policy of the caller's, or null for the pinned one. */
function namedPolicy(file: string | undefined): string | null {
  if (file === undefined) return null;
  const text = readFileSync(file, 'utf8');
  const read = readWitnessPolicy(text);
  return 'fault' in read ? stop(`${file}: ${read.fault} in line ${read.line}`) : text;
}

try {
  if (values.server === undefined || values.folder === undefined || !/^https?:\/\/\S+$/.test(values.server))
    stop(USAGE);
  if (!/^[1-9][0-9]{0,5}$/.test(values.every)) stop('--every is a number of seconds');
  const server = values.server.replace(/\/+$/, '');
  const everyMs = Number(values.every) * 1_000;
  const folder = await openMonitorFolder(path.resolve(values.folder));
  // A visit that is cut off is made again: what it found is written before how far it came.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(0));
  const monitor = openMonitor({
    folder,
    policy: namedPolicy(values.policy),
    readFile: openLogFiles(server),
    ask: askServer(server),
    listen: (coins, signal) => listenToBooks(server, coins, signal),
    now: () => Date.now(),
    print: (line) => console.log(line),
  });
  while (!values.once) {
    await monitor.visit();
    for (let leftMs = everyMs; leftMs > 0; leftMs -= LISTEN_MS) {
      const end = AbortSignal.timeout(Math.min(leftMs, LISTEN_MS));
      await monitor.hear(end);
      // The server may have ended the connection before.
      if (!end.aborted) await pause(LISTEN_MS, undefined, { signal: end }).catch(() => undefined);
    }
  }
  const results = [await monitor.visit(), await monitor.hear(AbortSignal.timeout(LISTEN_ONCE_MS))];
  const isWhole = results.every((result) => result.isWhole);
  process.exit(results.some(({ found }) => found > 0) ? 1 : isWhole ? 0 : 2);
} catch (error) {
  stop(`sathorn-monitor: ${error instanceof Error ? error.message : String(error)}`);
}
