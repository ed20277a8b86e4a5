import type { PublicKey, SealKeys } from './known-keys.ts';
import type { Violation } from './run-invariants.ts';

export interface CheckerReport {
  readonly checked: string;
  /** Violations that nobody has acknowledged. */
  readonly violations: readonly Violation[];
  /** How many subjects the owner has acknowledged. */
  readonly acknowledged: number;
  /**
   * Why money is halted; null while it moves. It stays set after the cause is repaired, because a person must decide to
   * continue.
   */
  readonly halted: string | null;
  /**
   * The newest sequence of the ledger that existed and was scanned before this round began: everything that was decided
   * up to it has been checked. Null before the second round.
   */
  readonly walked: string | null;
  /** When the slow pass last reached the end of history; null before the first time. */
  readonly passed: string | null;
  /** How many rows the checker's own file holds, and how long the last comparison of all took; null without a file. */
  readonly remembered: { readonly rows: number; readonly passMs: number | null } | null;
}

export interface Checker {
  /** The latest round, or null before the first. */
  report(): CheckerReport | null;
  /** The checker's current process id; it changes with each restart. */
  pid(): number | null;
  /** Requests a round now, because somebody waits for it. */
  look(): void;
  stop(): Promise<void>;
}

export interface CheckerOptions {
  /** Aborts when the platform stops: Ctrl-C ends the checker too, which then must not be restarted. */
  readonly calledOff?: AbortSignal;
  readonly silenceMaxMs?: number;
  /**
   * The keys for verifying signatures: the public keys of this server's secrets, and the file with those published at
   * the first check; and the keys of seals.
   */
  readonly keys?: { readonly own: readonly PublicKey[]; readonly file: string; readonly seals?: SealKeys };
  /** The file of the keys whose votes count; without it no vote is verified. */
  readonly votersFile?: string;
  /** The checker's own file, which only its process reads and writes: what it has read, found and done. */
  readonly memory?: string;
  /** `scanned` is the newest sequence of the ledger that was checked; null before the first one. */
  readonly onReport?: (report: CheckerReport, scanned: bigint | null) => void;
}
