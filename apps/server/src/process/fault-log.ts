import { CommandFault } from '../platform/bus/index.ts';
import { isConnectionFault, isDiskFull } from '../platform/database/index.ts';

interface FaultLogDependencies {
  readonly log: { error(values: object, message: string): void };
  readonly elapsedMs: () => number;
}

interface FaultLog {
  report(error: unknown, where: string): void;
  /** True if a write failed for lack of disk space within the last seconds. */
  isDiskFull(): boolean;
  /** Logs how often each fault was repeated. */
  flush(): void;
}

const COUNTED_FOR_MS = 60_000;
const DISK_FOR_MS = 15_000;
const KINDS_MAX = 200;

interface Repeated {
  readonly firstMs: number;
  readonly reason: string;
  readonly where: string;
  count: number;
}

/** The kind of a fault: two faults are the same if they differ only in ids, amounts and times. */
function kindOf(error: unknown, where: string): { kind: string; reason: string } {
  const reason = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const form = reason.slice(0, 300).replace(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]+/gi, '#');
  return { kind: `${where} ${code} ${form}`, reason };
}

/**
 * The log of faults. The first occurrence of a fault is logged in full; repetitions are counted, with one line per
 * minute. So a fault in every request cannot fill the disk, least of all the fault that the disk is full.
 */
export function openFaultLog({ log, elapsedMs }: FaultLogDependencies): FaultLog {
  const repeated = new Map<string, Repeated>();
  let diskAtMs = Number.NEGATIVE_INFINITY;

  const writeCount = (kind: string, { count, reason, where }: Repeated): void => {
    repeated.delete(kind);
    if (count > 0) log.error({ reason, where, count, seconds: COUNTED_FOR_MS / 1_000 }, 'a fault, repeated');
  };
  const writeExpiredCounts = (nowMs: number): void => {
    for (const [kind, fault] of repeated) if (nowMs - fault.firstMs >= COUNTED_FOR_MS) writeCount(kind, fault);
  };
  /** True if the fault is known and was only counted. */
  const isRepeated = (kind: string, reason: string, where: string): boolean => {
    const nowMs = elapsedMs();
    writeExpiredCounts(nowMs);
    const named = repeated.size < KINDS_MAX || repeated.has(kind) ? kind : 'others';
    const known = repeated.get(named);
    if (known === undefined) {
      repeated.set(named, { firstMs: nowMs, reason: named === kind ? reason : 'other faults', where, count: 0 });
      return false;
    }
    known.count += 1;
    return true;
  };

  return {
    report(error, where) {
      if (isDiskFull(error)) {
        diskAtMs = elapsedMs();
        if (!isRepeated('disk', 'alarm: the disk is full', ''))
          log.error({ err: error, where }, 'alarm: the disk is full, nothing is written until there is room');
        return;
      }
      if (isConnectionFault(error) || error instanceof CommandFault) {
        const reason = error instanceof Error ? error.message : String(error);
        if (!isRepeated('away', reason, '')) log.error({ reason }, 'the database or the bus is unavailable, retrying');
        return;
      }
      const { kind, reason } = kindOf(error, where);
      if (!isRepeated(kind, reason, where)) log.error({ err: error, where }, 'a fault');
    },
    isDiskFull: () => elapsedMs() - diskAtMs < DISK_FOR_MS,
    flush: () => {
      for (const [kind, fault] of repeated) writeCount(kind, fault);
    },
  };
}
