import { contractTermsOf, openContracts } from '../exchange/contracts/index.ts';
import { ticksForOptions } from '../exchange/market/index.ts';
import { openOptions } from '../exchange/options/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import type { Opening } from './opening.ts';

/** Options and contracts. */
export async function openTrading(opening: Opening): Promise<void> {
  const { rooms, clockGuard, secrets, database, reads, clock, bus, commands, onFault, brand, isOn } = opening;
  rooms.options = await openOptions({
    database,
    ledger: rooms.ledger.api,
    clock,
    bus,
    market: ticksForOptions(rooms.market.api),
    messages: rooms.messages.api,
    signer: ed25519Signer(secrets.receiptKey),
    accountSalt: secrets.accountSalt,
    rulesHash: () => rooms.content.api.rules.hash('options'),
    timeZone: brand.timeZone,
    isSelling: () => isOn('options'),
    onFault,
    openCase: (transaction, dispute) => rooms.disputes.api.openCase(transaction, dispute),
  });
  rooms.contracts = openContracts({
    database,
    reads,
    ledger: rooms.ledger.api,
    clock: clockGuard,
    bus,
    commands,
    market: {
      environment: rooms.market.api.environment,
      isStale: (coin, now) => rooms.market.api.isStale(coin, now) || rooms.market.api.isPaused(coin, now),
      lastPrice: (coin) => rooms.market.api.lastTick(coin)?.price ?? null,
    },
    levelOf: rooms.levels.api.levelOf,
    // Whether it is offered at all changes with the brand's switches, which `terms` knows.
    isOffering: true,
    terms: () => contractTermsOf(rooms.offer.api.inForce, isOn('contracts')),
    coverOf: (coin, now) => rooms.books.api.coverOf(coin, now),
    frozenTraders: (queries) => rooms.customers.api.frozenTraders(queries),
    onFault,
  });
}
