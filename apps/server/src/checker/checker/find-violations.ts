import pg from 'pg';
import type { Connection } from '../../platform/database/index.ts';
import type { PinnedVoters } from '../../staff/votes/index.ts';
import { SEALED_CUSTODY } from './custody-scans.ts';
import { inspectHistory, inspectNewestRows } from './inspect-history.ts';
import { SegmentInspector } from './inspect-segments.ts';
import { VoteInspector } from './inspect-votes.ts';
import type { Invariant } from './invariant.ts';
import { FREQUENT_INVARIANTS, MINUTELY_INVARIANTS } from './invariants.ts';
import { KnownKeys, type PublicKey, type SealKeys } from './known-keys.ts';
import { Findings, runInvariants, type Violation, withSnapshot } from './run-invariants.ts';
import { NO_PROGRESS } from './scan-progress.ts';

/** Why the ledger refuses all transfers; null if it does not. */
export async function readHaltReason(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ halted: string | null }>('SELECT halted FROM ledger.head');
  return rows[0]?.halted ?? null;
}

/**
 * Checks all invariants once over all data, with the checker's role. Checks only invariants of single modules unless
 * the caller says that all modules exist. Verifies signatures with the given keys.
 */
export async function findViolations(
  checker: Connection,
  of: 'module' | 'platform' = 'module',
  keys?: readonly PublicKey[],
  seals?: SealKeys,
): Promise<Violation[]> {
  const isAsked = ({ isOfPlatform }: Invariant): boolean => of === 'platform' || isOfPlatform !== true;
  const client = new pg.Client(checker);
  await client.connect();
  try {
    const findings = new Findings();
    await withSnapshot(client, () =>
      runInvariants(client, [...FREQUENT_INVARIANTS, ...MINUTELY_INVARIANTS].filter(isAsked), findings),
    );
    await withSnapshot(client, () =>
      runInvariants(client, SEALED_CUSTODY, findings, {
        given: {},
        values: [],
        keys: keys && new KnownKeys(keys, seals),
      }),
    );
    const inspecting = { findings, keys: keys && new KnownKeys(keys, seals) };
    await findings.during(async () => {
      await inspectHistory(client, NO_PROGRESS, { ...inspecting, rows: Number.POSITIVE_INFINITY, isAsked });
    });
    const segments = new SegmentInspector();
    await findings.during(async () => {
      while (!(await segments.inspect(client, inspecting)));
    });
    return findings.violations();
  } finally {
    await client.end();
  }
}

/** Decisions and acts without enough valid signatures, as the checker's rounds report them. */
export async function findUnsignedActs(checker: Connection, pinned: PinnedVoters | null): Promise<string[]> {
  const client = new pg.Client(checker);
  await client.connect();
  try {
    const findings = new Findings();
    await new VoteInspector().inspect(client, pinned, findings);
    return findings.violations().flatMap(({ subjects }) => subjects);
  } finally {
    await client.end();
  }
}

interface ViolationWatch {
  /** Returns violations of the current state and of rows added since the last call. */
  look(): Promise<Violation[]>;
  close(): Promise<void>;
}

/**
 * Serves a caller that checks after each step: the cost is that of the new rows and not of the whole history. Checks
 * only invariants of single modules.
 */
export async function watchViolations(checker: Connection): Promise<ViolationWatch> {
  const isAsked = ({ isOfPlatform }: Invariant): boolean => isOfPlatform !== true;
  const client = new pg.Client(checker);
  await client.connect();
  let progress = NO_PROGRESS;
  return {
    async look() {
      const findings = new Findings();
      await withSnapshot(client, () => runInvariants(client, FREQUENT_INVARIANTS.filter(isAsked), findings));
      await findings.during(async () => {
        progress = await inspectNewestRows(client, progress, { findings, isAsked, rows: Number.POSITIVE_INFINITY });
      });
      return findings.violations();
    },
    close: () => client.end(),
  };
}
