import path from 'node:path';
import { openAlerts } from '../exchange/alerts/index.ts';
import { openMarket, wordAlarm } from '../exchange/market/index.ts';
import { openLedger, uuidOfName } from '../ledger/index.ts';
import { FACTOR_RESET_KIND, openCustomers } from '../people/customers/index.ts';
import { openMessages } from '../people/messages/index.ts';
import { openPush } from '../people/push/index.ts';
import { openSafeguards } from '../people/safeguards/index.ts';
import { openFiles } from '../platform/files/index.ts';
import { ed25519Signer } from '../platform/proofs/index.ts';
import { openOperators, readVotes } from '../staff/operators/index.ts';
import { isOfferingContracts } from './config.ts';
import { liveOutboxOf } from './live-outbox.ts';
import type { Opening } from './opening.ts';

/** What every other room needs: money, prices, files, messages, customers and operators. */
export async function openCore(opening: Opening): Promise<void> {
  const {
    rooms,
    clockGuard,
    config,
    secrets,
    database,
    reads,
    index,
    clock,
    bus,
    onFault,
    mode,
    brand,
    demoOutbox,
    prices,
  } = opening;
  rooms.ledger = openLedger({
    database,
    clock: clockGuard,
    bus,
    eligibility: {
      readFrozen: (queries, owners) => rooms.customers.api.readFrozen(queries, owners),
      refuseFrozen: (queries, owners) => rooms.customers.api.refuseFrozen(queries, owners),
      get guards() {
        return rooms.safeguards.api.guards;
      },
    },
  });
  rooms.market = await openMarket({
    database,
    reads,
    clock,
    bus,
    publishing: index && { database: index.database, signer: ed25519Signer(index.secrets.indexKey) },
    prices,
    products: {
      optionTerms: (coin) => rooms.options.api.optionTerms(coin),
      tradeBars: (...which) => rooms.contracts.api.tradeBars(...which),
      contracts: isOfferingContracts(config),
    },
    onFault,
    onAlarm: (alarm) => onFault(new Error(`alarm: ${wordAlarm(alarm)}`)),
  });
  rooms.messages = openMessages({
    database,
    bus,
    clock: clockGuard,
    wording: { brandTitle: brand.title, timeZone: brand.timeZone },
    wordOf: (customer) => rooms.customers.api.antiPhishingWord(customer),
    audienceOf: async (customer) => {
      const [level, joinedAt] = await Promise.all([
        rooms.levels.api.levelOf(customer),
        rooms.customers.api.joinedAt(customer),
      ]);
      return { level, joinedAt };
    },
    onFault,
  });
  rooms.safeguards = openSafeguards({
    database,
    clock: clockGuard,
    messages: rooms.messages.api,
    timeZone: brand.timeZone,
    revokeOrders: async (customer, pause) => {
      const digest = `paused ${pause}`;
      const decision = await rooms.contracts.api.revokeAll(customer, null, { id: uuidOfName(digest), digest });
      if (!decision.ok) throw new Error(`open orders of a customer who stopped rest on: ${decision.refusal}`);
    },
    onFault,
  });
  rooms.alerts = openAlerts({
    database,
    market: rooms.market.api,
    bus,
    clock: clockGuard,
    messages: rooms.messages.api,
    readPaused: rooms.safeguards.api.readPaused,
    pausedRefusal: rooms.safeguards.api.refusalOf,
    onFault,
  });
  rooms.files = openFiles({ database, dataDir: path.resolve(config.dataDir), secrets });
  rooms.customers = openCustomers({
    database,
    clock: clockGuard,
    bus,
    messages: rooms.messages.api,
    files: rooms.files.api,
    outbox: demoOutbox ?? liveOutboxOf(config, onFault),
    ledger: rooms.ledger.api,
    movements: {
      deposits: {
        list: (...of) => rooms.deposits.api.list(...of),
        read: (...of) => rooms.deposits.api.read(...of),
      },
      withdrawals: {
        list: (...of) => rooms.withdrawals.api.list(...of),
        read: (...of) => rooms.withdrawals.api.read(...of),
      },
    },
    standing: async (customer) => {
      const [{ primary, advanced }, level] = await Promise.all([
        rooms.certifications.api.stateOf(database, customer),
        rooms.levels.api.levelOf(customer),
      ]);
      const [reason = null] = [...advanced.reasons, ...primary.reasons];
      return { certification: { primary: primary.state, advanced: advanced.state, reason }, level };
    },
    priceOf: (coin) => rooms.market.api.lastTick(coin)?.price ?? null,
    mode,
    secrets,
    brand,
    origins: [new URL(config.baseUrl).origin, ...config.allowedOrigins],
    inviteCodes: config.inviteCodes,
    desk: {
      approvals: {
        open: (...of) => rooms.operators.api.approvals.open(...of),
        close: (...of) => rooms.operators.api.approvals.close(...of),
      },
      audit: { append: (...of) => rooms.operators.api.audit.append(...of) },
      votesOf: readVotes,
    },
    onFault,
  });
  rooms.push = openPush({
    database,
    clock: clockGuard,
    bus,
    messages: rooms.messages.api,
    secrets,
    // Push services accept no http: address.
    contact: config.pushContact ?? new URL(config.baseUrl).origin.replace(/^http:/, 'https:'),
    brand: brand.title,
    openSessionsOf: rooms.customers.api.openSessionsOf,
    onFault,
  });
  rooms.operators = openOperators({
    database,
    clock: clockGuard,
    mode,
    secrets,
    brandTitle: brand.title,
    signer: ed25519Signer(secrets.receiptKey),
    consoleUrl: config.consoleUrl ?? config.baseUrl,
    deviceKeys: config.deviceKeys,
    isCustomer: async (customer) => (await rooms.customers.api.staff.read(customer)) !== null,
    onFault,
  });
  const resets = rooms.customers.api.factorResets;
  if (resets) rooms.operators.api.addApprovalKind(FACTOR_RESET_KIND, resets.kind);
}
