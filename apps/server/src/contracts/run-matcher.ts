import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode, isCoinCode } from '@sathorn/money';
import type { Commands, Wire } from '../bus/index.ts';
import { ClockWrong } from '../clock-guard.ts';
import { type Database, isBusy, isConnectionFault } from '../database/index.ts';
import type { Ledger } from '../ledger/index.ts';
import { coinOf, readCommand, subjectOf } from './contract-command.ts';
import type { ContractKind } from './contract-kind.ts';
import { LeaseLost, takeLease } from './contract-store.ts';

const ROLE = 'matcher:';
/** A matcher that stops waits no longer for an unavailable database: the next one cancels the quotes. */
const PULL_MAX_MS = 3_000;

/** The answer when a command failed by a fault of ours, and changed nothing. */
export const FAILED = { ok: false, refusal: 'internal_error' } as const;
/** The same, but for the database, which has no room or no time now. */
export const UNAVAILABLE = { ok: false, refusal: 'unavailable' } as const;

export interface MatcherDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly commands: Commands;
  readonly kind: ContractKind;
  readonly leases: Map<CoinCode, bigint>;
  /** This process serves the coin from now on; the one before may have ended between a commit and its notification. */
  readonly onTaken: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Serves the commands of every coin whose lease this process gets: one writer per coin. The lock says which process may
 * take a lease. The lease's number goes into every write, so a partitioned process that doesn't know it yet writes
 * nothing more.
 */
export function runMatchers(dependencies: MatcherDependencies, signal: AbortSignal): Promise<void> {
  const { database, ledger, commands, kind, leases, onTaken, onFault } = dependencies;

  /**
   * The house's quotes end with the process that made them: they are taken off before anybody may trade with the next.
   */
  const pullQuotes = async (coin: CoinCode): Promise<void> => {
    const lease = leases.get(coin);
    if (lease === undefined || !kind.book(coin)?.quotes().length) return;
    const none = { do: 'quote', coin, lease, quotes: [], untilMs: 0 } as const;
    await ledger.post(kind, none, { id: randomUUID(), digest: 'pulled' });
  };
  const tryToPullQuotes = (coin: CoinCode): Promise<void> => {
    const pulled = pullQuotes(coin).catch((error: unknown) => {
      if (!(error instanceof LeaseLost || error instanceof ClockWrong)) onFault(error);
    });
    return Promise.race([pulled, pause(PULL_MAX_MS, undefined, { ref: false })]);
  };

  const serveCoin = async (coin: CoinCode, itsSignal: AbortSignal): Promise<void> => {
    const lost = new AbortController();
    leases.set(coin, await takeLease(database, coin));
    try {
      await kind.bring(database, coin);
      await pullQuotes(coin);
      onTaken();
      await commands.serve(subjectOf(coin), AbortSignal.any([itsSignal, lost.signal]), async (wire: Wire) => {
        const { command, intent } = readCommand(wire);
        if (coinOf(command) !== coin) throw new Error(`a command for ${coinOf(command)} came to ${coin}`);
        try {
          return (await ledger.post(kind, command, intent)) as unknown as Wire;
        } catch (error) {
          // The leader with the lease will execute it. Without the lease we step down, and start again if nobody else
          // does. A process with a wrong clock accepts nothing, so another one should match.
          if (error instanceof LeaseLost || error instanceof ClockWrong) lost.abort();
          // A bug of ours would fail again and again: the caller gets an error.
          if (error instanceof LeaseLost || error instanceof ClockWrong || isConnectionFault(error)) throw error;
          onFault(error);
          return isBusy(error) ? UNAVAILABLE : FAILED;
        }
      });
    } finally {
      await tryToPullQuotes(coin);
      leases.delete(coin);
    }
  };

  return database.runAsLeaders(
    COIN_CODES.map((coin) => ROLE + coin),
    signal,
    async (role, itsSignal) => {
      const coin = role.slice(ROLE.length);
      if (!isCoinCode(coin)) throw new Error(`no coin: ${role}`);
      await serveCoin(coin, itsSignal).catch((error: unknown) => {
        // The alarm reported it once; this repeats with every retry.
        if (!(error instanceof ClockWrong)) onFault(error);
      });
    },
  );
}
