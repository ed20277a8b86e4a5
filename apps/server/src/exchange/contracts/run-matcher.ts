import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode, isCoinCode } from '@sathorn/money';
import type { Ledger } from '../../ledger/index.ts';
import type { CommandBus, WireValue } from '../../platform/bus/index.ts';
import { ClockWrongError } from '../../platform/clock-guard.ts';
import { type Database, isBusy, isConnectionFault } from '../../platform/database/index.ts';
import { coinOfCommand, matcherSubjectOf, readCommand } from './contract-command.ts';
import type { ContractKind, ContractMarket } from './contract-kind.ts';
import { BookLeaseLostError, takeBookLease } from './contract-store.ts';
import { OrderTrigger } from './trigger-orders.ts';

const ROLE = 'matcher:';
/** How long a stopping matcher waits for an unavailable database; its successor then cancels the quotes. */
const PULL_MAX_MS = 3_000;

/** How long after a fault orders are triggered again. */
const TRIGGER_AGAIN_MS = 250;

/** The answer when a command failed because of a bug and changed nothing. */
export const COMMAND_FAILED = { ok: false, refusal: 'internal_error' } as const;
/** The answer when the database is out of space or timed out. */
export const COMMAND_UNAVAILABLE = { ok: false, refusal: 'unavailable' } as const;

interface MatcherDependencies {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly commands: CommandBus;
  readonly kind: ContractKind;
  readonly leases: Map<CoinCode, bigint>;
  readonly market: ContractMarket;
  /** True if a test turns the triggers by hand. */
  readonly isTurnedByHand?: boolean;
  /** Called when this process starts to serve the coin. Its predecessor may have ended before its notification. */
  readonly onTaken: () => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Serves the commands of every coin whose lease this process gets: one writer per coin. An advisory lock decides which
 * process may take a lease. The lease's number is part of every write, so a partitioned process that does not know that
 * it has been replaced can no longer write.
 */
export function runMatchers(dependencies: MatcherDependencies, signal: AbortSignal): Promise<void> {
  const { database, ledger, commands, kind, leases, onTaken, onFault } = dependencies;

  /** Cancels the quotes that the previous process left in the book, before this process matches any order. */
  const pullQuotes = async (coin: CoinCode): Promise<void> => {
    const lease = leases.get(coin);
    if (lease === undefined || !kind.book(coin)?.quotes().length) return;
    const none = { do: 'quote', coin, lease, quotes: [], untilMs: 0 } as const;
    await ledger.post(kind, none, { id: randomUUID(), digest: 'pulled' });
  };
  const tryToPullQuotes = (coin: CoinCode): Promise<void> => {
    const pulled = pullQuotes(coin).catch((error: unknown) => {
      if (!(error instanceof BookLeaseLostError || error instanceof ClockWrongError)) onFault(error);
    });
    return Promise.race([pulled, pause(PULL_MAX_MS, undefined, { ref: false })]);
  };

  /** Triggers waiting orders for as long as this process has the lease. */
  const triggerOrders = async (coin: CoinCode, lost: AbortController, itsSignal: AbortSignal): Promise<void> => {
    const signal = AbortSignal.any([itsSignal, lost.signal]);
    while (!signal.aborted) {
      // After a fault it begins again at the mark: what was triggered no longer waits.
      const trigger = new OrderTrigger(coin, dependencies);
      try {
        await trigger.run(signal);
      } catch (error) {
        if (error instanceof BookLeaseLostError || error instanceof ClockWrongError) lost.abort();
        else {
          if (!isConnectionFault(error)) onFault(error);
          await pause(TRIGGER_AGAIN_MS, undefined, { ref: false, signal }).catch(() => undefined);
        }
      }
    }
  };

  const serveCoin = async (coin: CoinCode, itsSignal: AbortSignal): Promise<void> => {
    const lost = new AbortController();
    let triggering: Promise<void> | null = null;
    leases.set(coin, await takeBookLease(database, coin));
    try {
      await kind.bring(database, coin);
      await pullQuotes(coin);
      onTaken();
      if (!dependencies.isTurnedByHand) triggering = triggerOrders(coin, lost, itsSignal);
      await commands.serve(
        matcherSubjectOf(coin),
        AbortSignal.any([itsSignal, lost.signal]),
        async (wire: WireValue) => {
          const { command, intent } = readCommand(wire);
          if (coinOfCommand(command) !== coin)
            throw new Error(`a command for ${coinOfCommand(command)} came to ${coin}`);
          try {
            return (await ledger.post(kind, command, intent)) as unknown as WireValue;
          } catch (error) {
            // The process with the lease will execute the command. Without the lease this process steps down, and leads
            // again if no other does. A process with a wrong clock accepts nothing, so another one should match.
            if (error instanceof BookLeaseLostError || error instanceof ClockWrongError) lost.abort();
            // Only these faults are retried. A bug would fail again on every retry, so the caller gets an error.
            if (error instanceof BookLeaseLostError || error instanceof ClockWrongError || isConnectionFault(error))
              throw error;
            onFault(error);
            return isBusy(error) ? COMMAND_UNAVAILABLE : COMMAND_FAILED;
          }
        },
      );
    } finally {
      lost.abort();
      await triggering;
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
        // The clock's own alarm is reported once; reporting it here too would repeat it with every retry.
        if (!(error instanceof ClockWrongError)) onFault(error);
      });
    },
  );
}
