import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { connectionOf, isConnectionFault } from '../../platform/database/index.ts';
import { openLog } from '../../platform/log.ts';
import { releaseMemory } from '../../platform/release-memory.ts';
import { readPinnedVoters } from '../../staff/votes/index.ts';
import { readAcknowledgements, reportViolations } from './acknowledgements.ts';
import { CheckerMemory } from './checker-memory.ts';
import { SEALED_CUSTODY } from './custody-scans.ts';
import { readHaltReason } from './find-violations.ts';
import {
  inspectBrokenPages,
  inspectHistory,
  inspectNewestRows,
  NEWEST_ROWS_MAX,
  readRowsPerSlowPass,
} from './inspect-history.ts';
import { inspectOffers } from './inspect-offers.ts';
import { SegmentInspector } from './inspect-segments.ts';
import { VoteInspector } from './inspect-votes.ts';
import { FREQUENT_INVARIANTS, MINUTELY_INVARIANTS } from './invariants.ts';
import { KnownKeys } from './known-keys.ts';
import { EMPTY_MEMORY, type KeptMemory, readMemoryFile, writeMemoryFile } from './memory-file.ts';
import { type CheckerTrust, inspectPublishedKeys, verifyingKeysOf } from './pinned-keys.ts';
import { type AcknowledgedSubjects, Findings, runInvariants, type Violation, withSnapshot } from './run-invariants.ts';
import { NO_PROGRESS, type ScanProgress, scannedSequenceOf } from './scan-progress.ts';
import { SchemaInspector } from './schema.ts';

/**
 * Its own process with its own role. Every ten seconds it checks the current state and new rows, every forty a part of
 * history, and it halts money when something is inconsistent. It ends with its parent (the pipe closes).
 */
const FREQUENT_MS = 10_000;
/** The shortest pause between requested rounds. A payout that waits for the checker requests one at once. */
const LOOK_REST_MS = 2_000;
/** Every fourth round is thorough, so that a violation in a small history is found within a minute. */
const THOROUGH_EVERY = 4;
/** Queries may take long, but a connection to a server that has disappeared must end. */
const PATIENCE = { connectionTimeoutMillis: 10_000, keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

const log = openLog('checker', 'info', pino.destination(1));
const url = process.env.CHECKER_DATABASE_URL;
if (!url) throw new Error('CHECKER_DATABASE_URL is not set');
const connection = connectionOf(url);

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
process.on('disconnect', () => ending.abort());
/** Aborting it ends the pause before the next round. */
let looking = new AbortController();
process.on('message', () => looking.abort());
void releaseMemory(ending.signal);

let progress: ScanProgress = process.env.CHECKER_PROGRESS ? JSON.parse(process.env.CHECKER_PROGRESS) : NO_PROGRESS;
/** Null if started without keys; then no signature is verified. */
let trust: CheckerTrust | null = process.env.CHECKER_TRUST ? JSON.parse(process.env.CHECKER_TRUST) : null;
/** Logged again only when it changes. */
let lastFound = '';
/**
 * Violations from the last thorough round. They remain until the next one, because the rounds in between do not run
 * every check.
 */
let standing: readonly Violation[] = [];
const segments = new SegmentInspector();
const votes = new VoteInspector();
const schema = new SchemaInspector();
/** The file is read again in each round, because the owner adds keys while this process runs. */
const votersFile = process.env.CHECKER_VOTERS ?? null;

/** Null if started without a file; then nothing is remembered. */
const memoryFile = process.env.CHECKER_MEMORY ?? null;
let kept: KeptMemory = EMPTY_MEMORY;
let memory: CheckerMemory | null = null;
let damage: string | null = null;
if (memoryFile !== null) {
  try {
    const found = readMemoryFile(memoryFile);
    kept = found ?? EMPTY_MEMORY;
    memory = new CheckerMemory(found);
  } catch (error) {
    damage = error instanceof Error ? error.message : String(error);
  }
  if (memory && memory.begun.length > 0) log.warn({ tables: memory.begun }, 'these tables are remembered from now on');
}
const FINDINGS_MAX = 1_000;

/** Ignores errors: if the parent was killed, the channel closes in the middle of a check. */
function tell(message: object): void {
  if (process.connected) process.send?.(message, () => undefined);
}

/** Sent after each page: it shows the parent that this process is alive, and where its successor must continue. */
function onProgress(now: ScanProgress): void {
  progress = now;
  tell({ progress });
}

/**
 * Compares the published keys with those seen before. The parent process stores keys that are seen for the first time.
 */
async function checkKeys(client: pg.Client, findings: Findings): Promise<KnownKeys | undefined> {
  if (trust === null) return undefined;
  const { violations, pins } = await inspectPublishedKeys(client, trust);
  for (const violation of violations) findings.add(violation);
  if (pins.length !== trust.pinned?.length) tell({ progress, pins });
  trust = { ...trust, pinned: pins };
  return new KnownKeys(verifyingKeysOf(trust), trust.seals);
}

async function check(client: pg.Client, isThorough: boolean, acknowledged: AcknowledgedSubjects): Promise<Violation[]> {
  const findings = new Findings(acknowledged);
  const invariants = isThorough ? [...FREQUENT_INVARIANTS, ...MINUTELY_INVARIANTS] : FREQUENT_INVARIANTS;
  await withSnapshot(client, () => runInvariants(client, invariants, findings));
  let keys: KnownKeys | undefined;
  await findings.during(async () => {
    keys = await checkKeys(client, findings);
    await withSnapshot(client, () => runInvariants(client, SEALED_CUSTODY, findings, { given: {}, values: [], keys }));
    for (const violation of await schema.inspect(client, isThorough)) findings.add(violation);
  });
  await findings.during(async () => {
    if (votersFile !== null) await votes.inspect(client, readPinnedVoters(votersFile, connection), findings);
  });
  // Halts money for a violation in the current state before anything else is read. Continues the round, because an
  // attacker may have planted the violation to hide another one.
  if (findings.isHalting) await halt(client, findings.violations());
  const inspecting = { findings, onProgress, keys };
  await findings.during(() => remember(client, findings));
  await findings.during(async () => {
    progress = await inspectNewestRows(client, progress, { ...inspecting, rows: NEWEST_ROWS_MAX });
    if (!isThorough) return;
    progress = await inspectOffers(client, progress, findings);
    progress = await inspectBrokenPages(client, progress, inspecting);
    progress = await inspectHistory(client, progress, { ...inspecting, rows: await readRowsPerSlowPass(client) });
  });
  if (isThorough) await findings.during(async () => void (await segments.inspect(client, { findings, keys })));
  return findings.violations();
}

/** Compares the database with the rows that were read before, and with this checker's own findings and acts. */
async function remember(client: pg.Client, findings: Findings): Promise<void> {
  if (damage !== null) findings.add({ invariant: 'M4', says: 'the checker’s own file is whole', subjects: [damage] });
  if (memory === null) return;
  if (kept.restored) {
    const { transfers, endsAt } = kept.restored;
    const { rowCount } = await client.query(
      'SELECT FROM proofs.restoration WHERE transfers = $1 AND ends_at = $2::timestamptz',
      [transfers, endsAt],
    );
    // Only the restore tool writes this into the file, together with the public row that records the restoration.
    if (rowCount === 0)
      findings.add({ invariant: 'M3', says: 'a restore is published', subjects: [`up to ${endsAt}`] });
    else {
      memory.cutAtNextLook();
      // Drops the findings: the restored database lacks the later ones.
      kept = { ...kept, findings: [] };
    }
  }
  await memory.look(client, findings);
  const { rows } = await client.query<{ subject: string }>(
    `SELECT concat_ws(' ', invariant, subject) AS subject FROM unnest($1::text[], $2::text[]) AS found(invariant, subject)
     WHERE length(subject) <= 500 AND (SELECT count(*) FROM ledger.violation) < 10000
       AND NOT EXISTS (SELECT FROM ledger.violation v WHERE v.invariant = found.invariant AND v.subject = found.subject)`,
    [kept.findings.map(({ invariant }) => invariant), kept.findings.map(({ subject }) => subject)],
  );
  if (rows.length > 0)
    findings.add({
      invariant: 'M2',
      says: 'everything that was found is still in the list of what was found',
      subjects: rows.map(({ subject }) => subject),
    });
}

/** Stores what was read, found and done in the checker's own file. */
async function keepMemory(client: pg.Client, violations: readonly Violation[], halted: string | null): Promise<void> {
  if (memory === null || memoryFile === null) return;
  const hasHalted = halted !== null && halted !== kept.halts.at(-1)?.reason;
  // Remembers the row of a halt at once, before somebody can erase it.
  if (hasHalted) await memory.lookAt(client, 'ledger.halt', new Findings());
  const at = new Date().toISOString();
  const known = new Set(kept.findings.map(({ invariant, subject }) => `${invariant} ${subject}`));
  const found = violations.flatMap(({ invariant, says, subjects }) =>
    subjects
      .map((subject) => ({ invariant, subject, says, at }))
      .filter((one) => !known.has(`${invariant} ${one.subject}`)),
  );
  if (!memory.hasChanged && found.length === 0 && !hasHalted && kept.restored === undefined) return;
  const { restored: _, ...before } = kept;
  kept = {
    ...before,
    tables: memory.tables(),
    findings: [...kept.findings, ...found].slice(-FINDINGS_MAX),
    halts: hasHalted ? [...kept.halts, { at, reason: halted }].slice(-FINDINGS_MAX) : kept.halts,
  };
  writeMemoryFile(memoryFile, kept);
  memory.hasChanged = false;
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
    const acknowledged = await readAcknowledgements(client);
    const isThorough = round % THOROUGH_EVERY === 0;
    const walked = scannedSequenceOf(progress);
    const findings = new Findings(acknowledged);
    for (const violation of isThorough ? [] : standing) findings.add(violation);
    for (const violation of await check(client, isThorough, acknowledged)) findings.add(violation);
    const violations = findings.violations();
    standing = violations;
    await halt(client, violations);
    const halted = await readHaltReason(client);
    await keepMemory(client, violations, halted);
    tell({
      report: {
        checked: new Date().toISOString(),
        violations,
        acknowledged: [...acknowledged.values()].reduce((count, subjects) => count + subjects.size, 0),
        halted,
        walked: walked?.toString() ?? null,
        passed: progress.passed,
        remembered: memory && { rows: memory.rows, passMs: memory.passMs },
      },
      progress,
    });
  } catch (error) {
    if (isConnectionFault(error))
      log.warn({ reason: (error as Error).message }, 'the database is unavailable, retrying');
    // The parent notices that no report comes.
    else log.error({ err: error }, 'the check failed, trying again in the next round');
  } finally {
    await client.end().catch(() => undefined);
  }
  const restMs = Math.max(FREQUENT_MS / 2, FREQUENT_MS - (performance.now() - began));
  looking = new AbortController();
  const { signal } = ending;
  await pause(LOOK_REST_MS, undefined, { signal }).catch(() => undefined);
  await pause(restMs - LOOK_REST_MS, undefined, { signal: AbortSignal.any([signal, looking.signal]) }).catch(
    () => undefined,
  );
}

// The channel to the parent would keep this process alive.
if (process.connected) process.disconnect();
