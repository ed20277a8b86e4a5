import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOf, isConnectionFault } from '../database/index.ts';
import { openLog } from '../log.ts';
import { readHalt } from './find-violations.ts';
import { inspectBroken, inspectHistory, inspectNewest, NEWEST_ROWS_MAX, passRows } from './inspect-history.ts';
import { FREQUENT, MINUTELY } from './invariants.ts';
import { NOTHING_YET, type Progress } from './progress.ts';
import { Findings, inSnapshot, runInvariants, type Violation } from './run-invariants.ts';

/**
 * A process of its own: reads with its own role what is now and what has come since every ten seconds, and a part of history every minute,
 * and stops money when something does not add up. It ends with its parent (the pipe closes).
 */
const FREQUENT_MS = 10_000;
const THOROUGH_EVERY = 6;
/** A question may take long; a server that is gone is not waited for. */
const PATIENCE = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const log = openLog('checker', 'info', pino.destination(1));
const url = process.env.CHECKER_DATABASE_URL;
if (!url) throw new Error('CHECKER_DATABASE_URL is not set');
const connection = connectionOf(url);

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
process.on('disconnect', () => ending.abort());

let progress: Progress = process.env.CHECKER_PROGRESS ? JSON.parse(process.env.CHECKER_PROGRESS) : NOTHING_YET;

/** A parent that was killed leaves a channel that is closed, in the middle of a check. */
function tell(message: object): void {
  if (process.connected) process.send?.(message, () => undefined);
}

/** Told after each piece: the parent hears that we are at work, and where the next process has to go on. */
function onProgress(now: Progress): void {
  progress = now;
  tell({ progress });
}

async function check(client: pg.Client, isThorough: boolean): Promise<Violation[]> {
  const findings = new Findings();
  const invariants = isThorough ? [...FREQUENT, ...MINUTELY] : FREQUENT;
  await inSnapshot(client, () => runInvariants(client, invariants, findings));
  // Money that does not add up now is stopped before anything else is read.
  if (findings.isAny) return findings.violations();
  const inspecting = { findings, onProgress };
  await findings.during(async () => {
    progress = await inspectNewest(client, progress, { ...inspecting, rows: NEWEST_ROWS_MAX });
    if (!isThorough) return;
    progress = await inspectBroken(client, progress, inspecting);
    progress = await inspectHistory(client, progress, { ...inspecting, rows: await passRows(client) });
  });
  return findings.violations();
}

async function halt(client: pg.Client, violations: Violation[]): Promise<void> {
  for (const violation of violations) log.fatal(violation, 'an invariant is broken');
  const [first] = violations;
  if (first)
    await client.query('SELECT ledger.halt_money($1)', [
      `${first.invariant}: ${first.says}: ${first.subjects.join(', ')}`,
    ]);
}

for (let round = 0; !ending.signal.aborted; round++) {
  const client = new pg.Client({ ...connection, ...PATIENCE, application_name: 'checker' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const violations = await check(client, round % THOROUGH_EVERY === 0);
    await halt(client, violations);
    tell({
      report: {
        checked: new Date().toISOString(),
        violations,
        halted: await readHalt(client),
        passed: progress.passed,
      },
      progress,
    });
  } catch (error) {
    if (isConnectionFault(error)) log.warn({ reason: (error as Error).message }, 'the database is away');
    // The parent goes by its silence.
    else log.error({ err: error }, 'the check could not be made');
  } finally {
    await client.end().catch(() => undefined);
  }
  await pause(FREQUENT_MS, undefined, { signal: ending.signal }).catch(() => undefined);
}

// The channel to the parent would keep this process alive.
if (process.connected) process.disconnect();
