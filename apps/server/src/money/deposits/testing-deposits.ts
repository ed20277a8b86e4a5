import { createSecretKey } from 'node:crypto';
import type { DepositRecord } from '@sathorn/api';
import { zero } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { findViolations } from '../../checker/checker/index.ts';
import { fundDemoHouse } from '../../demo/demo/index.ts';
import { customerAccount, houseAccount, type JournalKind, type Ledger, openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import type { Handler } from '../../platform/edge/index.ts';
import { openSealer } from '../../platform/sealing.ts';
import { type ChainReader, openDepositAddresses } from '../chain/index.ts';
import { openTestChain, type TestChain } from '../testing-chain.ts';
import { fixedBankAccounts } from './bank-accounts.ts';
import { DEMO_BANK } from './bank-rails.ts';
import { recoveryPlanContent } from './deposit-case.ts';
import { reversalKind } from './deposit-kinds.ts';
import { DEPOSIT_SETTINGS } from './deposit-settings.ts';
import { beginRecovery, findDeposit } from './deposit-store.ts';
import { type Deposits, openDeposits } from './index.ts';
import { type ChainWatcher, openChainWatcher } from './watch-chain.ts';

export const usdt = (whole: number): bigint => BigInt(Math.round(whole * 1e6));

const WATCH_KEY_HEX = '0c'.repeat(32);
const WATCH_KEY = createSecretKey(WATCH_KEY_HEX, 'hex');

export interface DepositsTest {
  readonly test: TestDatabase;
  readonly ledger: Ledger;
  readonly bus: Bus;
  readonly chain: TestChain;
  readonly deposits: Deposits;
  readonly faults: unknown[];
  readonly pictures: Set<string>;
  /** The entries that the operators' log would contain. */
  readonly audited: readonly string[];
  /** The customers whom the platform froze by rule, with the end of the freeze. */
  readonly frozen: ReadonlyMap<bigint, Date>;
  settleByRule(): Promise<void>;
  /** Writes the decision of two people about the case's current state, as the console would. Returns the approval. */
  decide(id: string, plan: 'credit' | 'return'): Promise<string>;
  addressOf(customer: bigint): Promise<string>;
  /** Opens a new watcher, as after a restart. */
  watcher(readers?: readonly [ChainReader, ...ChainReader[]]): ChainWatcher;
  /** Mines blocks and reads them all. */
  mineAndWatch(blocks: number, watcher?: ChainWatcher): Promise<void>;
  call(
    name: 'listDepositChannels' | 'submitDeposit' | 'sendTestDeposit',
    customer: bigint,
    request?: object,
  ): Promise<{ ok: true; effect: DepositRecord } | { ok: false; refusal: string; field?: string }>;
  list(customer: bigint): Promise<DepositRecord[]>;
  available(customer: bigint): Promise<bigint>;
  /** Takes money from the customer, as a losing trade would. */
  spend(customer: bigint, units: bigint): Promise<void>;
  violations(): Promise<unknown>;
  asOwner(text: string): Promise<void>;
  close(): Promise<void>;
}

const fee: JournalKind<{ customer: bigint; units: bigint }, null, never> = {
  name: 'test.spend',
  customer: () => null,
  accounts: ({ customer }) => [customerAccount(customer, 'USDT')],
  decide: ({ customer, units }) => ({
    ok: true,
    effect: {
      transfers: [
        {
          kind: 'single',
          debit: customerAccount(customer, 'USDT'),
          credit: houseAccount('fee_income', 'USDT'),
          units,
          code: 'option_fee',
        },
      ],
      answer: null,
    },
  }),
};

/** Opens the deposits module with its own database and chain. */
export async function openDepositsTest(clock: Clock = systemClock): Promise<DepositsTest> {
  const [test, chain] = await Promise.all([openTestDatabase(), openTestChain()]);
  const { database } = test;
  const bus = new Bus();
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const pictures = new Set<string>();
  const ledger = openLedger({ eligibility: null, database, clock, bus }).api;
  await fundDemoHouse(ledger);
  const addresses = openDepositAddresses(database, chain.config);
  const common = { database, ledger, clock, timeZone: 'Asia/Bangkok', onFault };
  const frozen = new Map<bigint, Date>();
  const freezes = {
    freeze: async (_queries: unknown, { customer, until }: { customer: bigint; until: Date }) =>
      void frozen.set(customer, until),
    end: async (_queries: unknown, customer: bigint) => void frozen.delete(customer),
  };
  const audited: string[] = [];
  const audit = { append: async (_queries: unknown, { what }: { what: string }) => BigInt(audited.push(what)) };
  const module = openDeposits({
    watchKey: WATCH_KEY,
    messages: { send: async () => undefined },
    ...common,
    bus,
    mode: 'demo',
    chain: { config: chain.config, readers: [chain.reader, chain.reader], addresses },
    banks: fixedBankAccounts(DEMO_BANK),
    sealer: openSealer(Buffer.alloc(32, 7), 'deposits'),
    bahtRate: async () => ({ units: 33_250_000n, source: 'simulated', at: new Date('2026-11-01T00:00:00Z') }),
    readPicture: async (owner, id) => (pictures.has(`${owner} ${id}`) ? Buffer.from('slip') : null),
    workNameOf: async () => 'korn',
    usernameOf: async (customer) => `customer${customer}`,
    // Other tests cover operators' acts over HTTP.
    approvals: {} as never,
    stepUps: {} as never,
    audit,
    findWaiting: async () => null,
    freezes,
    payees: { snapshotFor: async () => null, listOf: async () => [] },
    heldUntil: async () => null,
    customers: {
      exists: async () => true,
      hasPaymentPassword: async () => true,
      checkPaymentPassword: async () => accept(null),
      checkSecondFactor: async () => accept(null),
      isFrozen: async () => false,
    },
    feed: null,
    lookOf: async () => null,
    concernedBy: async (customer) => [customer],
    isFrozen: async () => false,
  });
  const watcher: DepositsTest['watcher'] = (readers = [chain.reader, chain.reader]) =>
    openChainWatcher({
      ...common,
      watchKey: WATCH_KEY,
      config: chain.config,
      readers,
      addresses,
      reversal: reversalKind({ audit, freezes }),
      audit,
      minimum: DEPOSIT_SETTINGS.chainMin.units,
      observeEveryMs: 0,
      countEveryMs: 0,
      onChanged: async () => undefined,
    });
  const own = watcher();
  let leader = own;
  const handlers = new Map<string, Handler>();
  for (const handler of module.handlers) handlers.set(`${handler.call.method} ${handler.call.path}`, handler);
  const ROUTES = {
    listDepositChannels: 'GET /pay/lists',
    submitDeposit: 'POST /pay/submit',
    sendTestDeposit: 'POST /pay/demo',
  } as const;

  return {
    test,
    ledger,
    bus,
    chain,
    deposits: module.api,
    faults,
    pictures,
    frozen,
    audited,
    settleByRule: () => module.settleByRule(clock.now()),
    async decide(id, plan) {
      const row = await findDeposit(database, id);
      if (!row) throw new Error(`no deposit ${id}`);
      const approval = crypto.randomUUID();
      const content = JSON.stringify(recoveryPlanContent(row, plan, null));
      await runAsOwner(
        test.owner,
        `SET session_replication_role = replica;
         INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES (91, 'aa1', '{finance}'), (92, 'aa2', '{compliance}') ON CONFLICT DO NOTHING;
         INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at, is_from_before)
           VALUES ('${approval}', 'deposit_recovery', '${id}', '${content}', sha256('{}'), 1, '{compliance}', 91, 'approved', now(), true);
         INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role) VALUES ('${approval}', 92, '${crypto.randomUUID()}', 'approve', sha256('{}'), 'compliance')`,
      );
      const fee = plan === 'credit' ? DEPOSIT_SETTINGS.recoveryFee : zero('USDT');
      if (!(await beginRecovery(database, id, { plan, approval, fee }))) throw new Error(`${id} is not to be decided`);
      return approval;
    },
    addressOf: (customer) => addresses.of(customer),
    watcher,
    async mineAndWatch(blocks, by = own) {
      if (blocks > 0) await chain.mine(blocks);
      if (by !== leader) by.begin();
      leader = by;
      while (await by.round());
    },
    call: async (name, customer, request = {}) =>
      (await handlers.get(ROUTES[name])?.run({
        request,
        customer: { id: customer, sessionId: 'test' },
        now: clock.now(),
      } as never)) as never,
    list: async (customer) => (await module.api.list(customer, 'all', null, 0, 100)).map(({ record }) => record),
    async available(customer) {
      const spot = (await ledger.balances(customer)).find(({ account }) => account.name === 'spot');
      return spot?.available ?? 0n;
    },
    async spend(customer, units) {
      await ledger.post(fee, { customer, units }, { id: crypto.randomUUID(), digest: 'spend' });
    },
    violations: () => findViolations(test.checker, 'module', [], { watch: WATCH_KEY_HEX }),
    asOwner: (text) => runAsOwner(test.owner, text),
    async close() {
      await chain.close();
      await test.close();
    },
  };
}
