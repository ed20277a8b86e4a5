import { TRANSFER_SCAN } from './ledger-scans.ts';
import type { ScanCursor } from './scan.ts';

/** Where a page of a scan begins and ends. */
export interface ScanPage {
  readonly scan: string;
  readonly from: ScanCursor;
  readonly to: ScanCursor;
  readonly isNewest: boolean;
}

/**
 * The checker's progress. It is kept in this process and in its parent for the next process, because an attacker with
 * the database could move it forward there.
 */
export interface ScanProgress {
  /**
   * Per scan: the cursor after the newest checked rows, one for each partition (a parallel sequence, such as
   * coins).
   */
  readonly newest: Readonly<Record<string, readonly ScanCursor[]>>;
  /** The slow pass's position: its scan, the partition, and the cursor on it; null at the scan's start. */
  readonly pass: { readonly scan: number; readonly partition: number; readonly cursor: ScanCursor | null };
  /** When the last complete pass ended. */
  readonly passed: string | null;
  /** Pages with a violation are checked again in each round, wherever the slow pass is. */
  readonly broken: readonly ScanPage[];
  /** The known offers by id, and when they were read. */
  readonly offers?: {
    readonly at: string;
    readonly rows: Readonly<Record<string, string>>;
    /** The known versions of terms; absent in what an older checker remembered. */
    readonly versions?: Readonly<Record<string, string>>;
  };
}

export const NO_PROGRESS: ScanProgress = {
  newest: {},
  pass: { scan: 0, partition: 0, cursor: null },
  passed: null,
  broken: [],
};

/** The sequence up to which the ledger's transfers were checked as new rows. */
export function scannedSequenceOf({ newest }: ScanProgress): bigint | null {
  const [cursor] = newest[TRANSFER_SCAN.name] ?? [];
  return cursor?.[0] === undefined ? null : BigInt(cursor[0]);
}
