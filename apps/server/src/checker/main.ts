import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOf, isConnectionFault } from '../database/index.ts';
import { openLog } from '../log.ts';
import { releaseMemory } from '../release-memory.ts';
import { readAcknowledged, reportViolations } from './acknowledgements.ts';
import { readHalt } from './find-violations.ts';
import { inspectBroken, inspectHistory, inspectNewest, NEWEST_ROWS_MAX, passRows } from './inspect-history.ts';
import { inspectOffers } from './inspect-offers.ts';
import { SegmentInspector } from './inspect-segments.ts';
import { FREQUENT, MINUTELY } from './invariants.ts';
import { KnownKeys } from './known-keys.ts';
import { inspectKeys, keysOf, type Trust } from './pinned-keys.ts';
import { NOTHING_YET, type Progress } from './progress.ts';
import { type Acknowledged, Findings, inSnapshot, runInvariants, type Violation } from './run-invariants.ts';
import { compareSchema } from './schema.ts';

/**
 * A process of its own with its own role. Every ten seconds it checks the current state and new rows, every forty a
 * part of history, and it halts money when something is inconsistent. It ends with its parent (the pipe closes).
 */
const FREQUENT_MS = 10_000;
/** Also ensures that a violation in a small history is found within a minute. */
const THOROUGH_EVERY = 4;
/** Queries may take long, but a server that has disappeared is not waited for. */
const PATIENCE = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const log = openLog('checker', 'info', pino.destination(1));
const url = process.env.CHECKER_DATABASE_URL;
if (!url) throw new Error('CHECKER_DATABASE_URL is not set');
const connection = connectionOf(url);

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
process.on('disconnect', () => ending.abort());
void releaseMemory(ending.signal);

let progress: Progress = process.env.CHECKER_PROGRESS ? JSON.parse(process.env.CHECKER_PROGRESS) : NOTHING_YET;
/** Null when started without keys; then it verifies no signatures. */
let trust: Trust | null = process.env.CHECKER_TRUST ? JSON.parse(process.env.CHECKER_TRUST) : null;
/** Logged again only when it changes. */
let lastFound = '';
/**
 * Violations from the last thorough round. They remain until the next one, because the rounds in between do not run
 * every check.
 */
let standing: readonly Violation[] = [];
const segments = new SegmentInspector();

/** If the parent was killed, the channel closes in the middle of a check. */
function tell(message: object): void {
  if (process.connected) process.send?.(message, () => undefined);
}

/** Sent after each piece, so that the parent knows that we are alive and where a next process must continue. */
function onProgress(now: Progress): void {
  progress = now;
  tell({ progress });
}

/**
 * Compares the published keys with those seen before. The parent process stores keys that are seen for the first time.
 */
async function checkKeys(client: pg.Client, findings: Findings): Promise<KnownKeys | undefined> {
  if (trust === null) return undefined;
  const { violations, pins } = await inspectKeys(client, trust);
  for (const violation of violations) findings.add(violation);
  if (pins.length !== trust.pinned?.length) tell({ progress, pins });
  trust = { ...trust, pinned: pins };
  return new KnownKeys(keysOf(trust));
}

async function check(client: pg.Client, isThorough: boolean, acknowledged: Acknowledged): Promise<Violation[]> {
  const findings = new Findings(acknowledged);
  const invariants = isThorough ? [...FREQUENT, ...MINUTELY] : FREQUENT;
  await inSnapshot(client, () => runInvariants(client, invariants, findings));
  let keys: KnownKeys | undefined;
  await findings.during(async () => {
    keys = await checkKeys(client, findings);
    for (const violation of await compareSchema(client)) findings.add(violation);
  });
  // Halts money for a violation in the current state before anything else is read.
  if (findings.isHalting) return findings.violations();
  const inspecting = { findings, onProgress, keys };
  await findings.during(async () => {
    progress = await inspectNewest(client, progress, { ...inspecting, rows: NEWEST_ROWS_MAX });
    if (!isThorough) return;
    progress = await inspectOffers(client, progress, findings);
    progress = await inspectBroken(client, progress, inspecting);
    progress = await inspectHistory(client, progress, { ...inspecting, rows: await passRows(client) });
  });
  if (isThorough) await findings.during(async () => void (await segments.inspect(client, { findings, keys })));
  return findings.violations();
}

/**
 * Halts money and stores the violations, so that the owner can acknowledge them. If the database refuses either, the
 * violations are still reported.
 */
async function halt(client: pg.Client, violations: readonly Violation[]): Promise<void> {
  const found = JSON.stringify(violations);
  if (found !== lastFound) for (const violation of violations) log.fatal(violation, 'an invariant is broken');
  lastFound = found;
  const halting = violations.find(({ isHalting }) => isHalting !== false);
  try {
    if (halting !== undefined)
      await client.query('SELECT ledger.halt_money($1)', [
        `${halting.invariant}: ${halting.says}: ${halting.subjects.join(', ')}`,
      ]);
    await reportViolations(client, violations);
  } catch (error) {
    if (isConnectionFault(error)) throw error;
    log.fatal({ err: error }, 'money could not be halted');
  }
}

for (let round = 0; !ending.signal.aborted; round++) {
  const began = performance.now();
  const client = new pg.Client({ ...connection, ...PATIENCE, application_name: 'checker' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    // Set regardless of the role's settings, so that no foreign table or function can shadow the catalogue's.
    await client.query('SET search_path = pg_catalog, pg_temp');
    const acknowledged = await readAcknowledged(client);
    const isThorough = round % THOROUGH_EVERY === 0;
    const findings = new Findings(acknowledged);
    for (const violation of isThorough ? [] : standing) findings.add(violation);
    for (const violation of await check(client, isThorough, acknowledged)) findings.add(violation);
    const violations = findings.violations();
    standing = violations;
    await halt(client, violations);
    tell({
      report: {
        checked: new Date().toISOString(),
        violations,
        acknowledged: [...acknowledged.values()].reduce((count, subjects) => count + subjects.size, 0),
        halted: await readHalt(client),
        passed: progress.passed,
      },
      progress,
    });
  } catch (error) {
    if (isConnectionFault(error))
      log.warn({ reason: (error as Error).message }, 'the database is unavailable, retrying');
    // The parent notices the silence.
    else log.error({ err: error }, 'the check failed, trying again in the next round');
  } finally {
    await client.end().catch(() => undefined);
  }
  const restMs = Math.max(FREQUENT_MS / 2, FREQUENT_MS - (performance.now() - began));
  await pause(restMs, undefined, { signal: ending.signal }).catch(() => undefined);
}

// The channel to the parent would keep this process alive.
if (process.connected) process.disconnect();
