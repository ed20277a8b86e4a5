import { createSecretKey, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { COIN_CODES, type CoinCode, type Price } from '@sathorn/money';
import { CommandFault, openLocalCommands } from '@sathorn/server/bus';
import { type Contracts, openContracts } from '@sathorn/server/contracts';
import type { OptionsTest } from '@sathorn/server/options/testing';

export interface SimulatedMatching extends Contracts {
  stop(): Promise<void>;
}

/**
 * Opens contracts with a matcher for every coin, as after a restart. The market maker is left out, because it uses its
 * own clock.
 */
export async function openSimulatedMatching(
  { test: { database }, ledger, clock, bus, market, faults }: OptionsTest,
  priceOf: (coin: CoinCode) => Price | null,
): Promise<SimulatedMatching> {
  const { api: contracts } = openContracts({
    database,
    ledger,
    clock,
    bus,
    commands: openLocalCommands(),
    market: { environment: 'sim', isStale: market.isStale, lastPrice: priceOf, ...NO_TICKS },
    orderKey: createSecretKey(Buffer.alloc(32)),
    levelOf: () => 0,
    isTurnedByHand: true,
    onFault: (error) => faults.push(error),
  });
  const ending = new AbortController();
  const run = contracts.run(ending.signal);
  for (const coin of COIN_CODES) await untilServed(contracts, coin);
  return {
    ...contracts,
    async stop() {
      ending.abort();
      await run;
    },
  };
}

/** Nothing waits here for a tick. */
const NO_TICKS = { lastTick: () => null, firstTickAfter: async () => null, ticksBetween: async () => [] };

/** Revokes an order that does not exist until there is an answer. Any answer shows that the coin has a leader. */
async function untilServed(contracts: Contracts, coin: CoinCode): Promise<void> {
  for (;;) {
    try {
      await contracts.send({ do: 'revoke', customer: 1n, coin, sequence: 1 }, { id: randomUUID(), digest: 'probe' });
      return;
    } catch (error) {
      if (!(error instanceof CommandFault)) throw error;
      await pause(5);
    }
  }
}
