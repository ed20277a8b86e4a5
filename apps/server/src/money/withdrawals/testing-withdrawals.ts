import { createHash, createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { WithdrawalRecord } from '@sathorn/api';
import { money } from '@sathorn/money';
import { accept, type PayoutStop } from '@sathorn/settlement';
import { findViolations } from '../../checker/checker/index.ts';
import { fundDemoBank, fundDemoHouse, giveDemoMoney } from '../../demo/demo/index.ts';
import { type Ledger, openLedger } from '../../ledger/index.ts';
import { Bus } from '../../platform/bus/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Database, openDatabase } from '../../platform/database/index.ts';
import { openTestDatabase, runAsOwner, type TestDatabase } from '../../platform/database/testing.ts';
import type { Handler, OperatorSession } from '../../platform/edge/index.ts';
import { ed25519Signer } from '../../platform/proofs/index.ts';
import { openSealer } from '../../platform/sealing.ts';
import { type ApprovalOpening, openStepUps } from '../../staff/operators/index.ts';
import { type ChainConfig, declareHouseAddresses, openDepositAddresses } from '../chain/index.ts';
import { fixedBankAccounts, openDeposits } from '../deposits/index.ts';
import type { PayeeSnapshot } from '../payees/index.ts';
import { openTestChain, type TestChain } from '../testing-chain.ts';
import { advanceWithdrawal, approvalContentOf } from './advance-withdrawal.ts';
import { endHaltWithAlarm } from './book-foreign-transfers.ts';
import { withdrawalDecisionKind } from './decide-withdrawal.ts';
import { openWithdrawals, type Withdrawals, type WithdrawalsDependencies } from './index.ts';
import { readRestoration } from './restoration-store.ts';
import { openPayoutBudget } from './signer/payout-budget.ts';
import { type CheckerVerdict, openPayoutGuard, pinAuthorisationKey } from './signer/payout-guard.ts';
import { openPayoutSigner, type PayoutSigner, type WaitingPayout } from './signer/run-signer.ts';
import { countApprovers } from './signer/signer-store.ts';
import { TEST_DEPOSIT_KEY } from './signer/testing-deposit-keys.ts';
import { trackChain } from './track-payouts.ts';
import { approveUnattendedKind } from './withdrawal-kinds.ts';
import { type ChannelTerms, FIRST_CHANNEL_TERMS } from './withdrawal-settings.ts';
import { readWithdrawal } from './withdrawal-store.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/** The watcher’s key in these tests. */
export const WATCH_KEY = Buffer.alloc(32, 12);

const digestOf = (of: unknown): string => createHash('sha256').update(JSON.stringify(of)).digest('hex');
export const usdt = (whole: number): bigint => BigInt(Math.round(whole * 1e6));
/** The hot wallet's key in these tests. */
export const HOT_WALLET_KEY = `0x${'42'.repeat(32)}` as const;
export const HOT_WALLET_ADDRESS = '0x17c5185167401ed00cf5f5b2fc97d9bbfdb7d025';

/** The edge's key that signs authorisations in these tests. */
export const AUTHORISATION_SIGNER = ed25519Signer(Buffer.alloc(32, 6));

/** The key of the seals on refused payouts in these tests. */
export const REFUSAL_KEY = createSecretKey(Buffer.alloc(32, 14));

/** A checker that has scanned everything and found nothing. */
export const CLEAR_VERDICT: CheckerVerdict = { sequence: 2n ** 62n, isClear: true };

export interface WithdrawalsAnswer {
  readonly ok: boolean;
  readonly refusal?: string;
  readonly field?: string;
  readonly effect: WithdrawalRecord & { readonly quote: string; readonly delayed_until: string | null };
}

export interface WithdrawalsTest {
  readonly test: TestDatabase;
  readonly chain: TestChain;
  readonly ledger: Ledger;
  readonly withdrawals: Withdrawals;
  readonly signerDatabase: Database;
  readonly faults: unknown[];
  /** Payees by id; every customer owns all of them. */
  readonly payees: Map<string, PayeeSnapshot>;
  changedAt: Date | null;
  readonly frozen: Set<bigint>;
  /** Customers who are frozen between the first check and the ledger's lock. */
  readonly frozenMeanwhile: Set<bigint>;
  /** Subjects for which a second factor was requested, newest last. */
  readonly subjects: string[];
  /** Runs the automatic steps of one withdrawal. */
  progress(id: string): Promise<void>;
  dailyMax: bigint;
  /** The terms in force, which decide what a new quote costs. */
  terms: ChannelTerms;
  wallet(address?: string, more?: Partial<PayeeSnapshot>): string;
  /** Writes a payee's row for this customer before the customer uses it. */
  save(customer: bigint, payee: string): Promise<PayeeSnapshot>;
  call(
    name: 'quote' | 'extract' | 'cancel' | 'rates',
    customer: bigint,
    request?: object,
    key?: string,
  ): Promise<WithdrawalsAnswer>;
  fund(customer: bigint, whole: number): Promise<void>;
  available(customer: bigint): Promise<bigint>;
  signer(database?: Database, bumpAfterMs?: number): PayoutSigner;
  /** The signer's own folder. */
  readonly folder: string;
  /** The checker's last message, which clears everything unless a test says otherwise. */
  word: CheckerVerdict | null;
  /** The reasons for which single payouts wait, as the signer last reported. */
  readonly waits: readonly WaitingPayout[];
  /** The reason for which all payouts wait, as the signer last reported. */
  readonly stop: PayoutStop | null;
  /** The customer's deposit address; null while none may be given out. */
  addressOf(customer: bigint): Promise<string | null>;
  /** Approvals that were opened. */
  readonly opened: readonly ApprovalOpening[];
  /** Approves a withdrawal with the vote of one person, who must be a row already. */
  examine(id: string, by: { readonly id: bigint; readonly role: string }): Promise<void>;
  /** Makes a call as operator 91 of finance, unless another operator is given. */
  ask<Effect>(
    call: string,
    request: object,
    by?: Partial<OperatorSession>,
  ): Promise<{ ok: boolean; refusal?: string; effect: Effect }>;
  /** Does the settler's work for deposits, such as collecting debts. */
  settleByRule(): Promise<void>;
  /** Does the watcher process's work: reads the chain and tracks payouts. */
  watch(): Promise<void>;
  /** Repeats until the withdrawal is done or has reached the given step. */
  follow(customer: bigint, id: string, signer?: PayoutSigner): Promise<WithdrawalRecord>;
  read(customer: bigint, id: string): Promise<WithdrawalRecord>;
  paidTo(address: string): Promise<bigint>;
  violations(): Promise<unknown>;
  close(): Promise<void>;
}

const ROUTES = {
  quote: 'POST /users/extract/quote',
  extract: 'POST /users/extract',
  cancel: 'POST /users/extract/cancel',
  rates: 'GET /users/extract/rate',
} as const;

/** Opens the withdrawals module with its own database and chain, and deposits beside it. */
export async function openWithdrawalsTest(
  wanted: Partial<ChainConfig> & { blockMs?: number } = {},
  onDatabase: () => Promise<TestDatabase> = openTestDatabase,
  /** Another test whose chain and saved payees to use; that test closes the chain. */
  before: Pick<WithdrawalsTest, 'chain' | 'payees'> | null = null,
): Promise<WithdrawalsTest> {
  const [test, chain] = await Promise.all([
    onDatabase(),
    before?.chain ?? openTestChain({ hot: HOT_WALLET_ADDRESS, ...wanted }),
  ]);
  const { database } = test;
  const signerDatabase = openDatabase(test.signer, { connections: 2 });
  const [bus, clock] = [new Bus(), systemClock];
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const ledger = openLedger({ eligibility: null, database, clock, bus }).api;
  await fundDemoHouse(ledger);
  await fundDemoBank(ledger);
  const addresses = openDepositAddresses(database, chain.config);
  const opened = { config: chain.config, readers: [chain.reader, chain.reader] as const, addresses };
  const payees = before?.payees ?? new Map<string, PayeeSnapshot>();
  const owner = openDatabase(test.owner, { connections: 2 });
  const asOwner = (text: string, values: readonly unknown[] = []) =>
    owner.query<{ id: string; owner: bigint }>({ name: '', text }, values);
  // These customers save more wallets than the database has slots for, and withdraw more than a new customer may.
  await asOwner('DROP INDEX IF EXISTS payees.payee_place');
  await asOwner('ALTER TABLE offer.version DISABLE TRIGGER USER');
  await asOwner(
    `UPDATE offer.version SET fields = (fields::jsonb || '{"daily_none": "1000000"}')::text WHERE kind = 'withdrawal'`,
  );
  await asOwner('ALTER TABLE offer.version ENABLE TRIGGER USER');
  await declareHouseAddresses(test.owner, [
    { chain: chain.config.code, address: chain.config.hot, role: 'wallet' },
    { chain: chain.config.code, address: chain.config.token, role: 'token' },
  ]);
  const saved = new Map<string, Promise<unknown>>();
  for (const { id } of await asOwner('SELECT id FROM payees.payee')) saved.set(String(id), Promise.resolve());
  /** Writes a payee's row when the first customer uses the payee. */
  const save = async (customer: bigint, payee: PayeeSnapshot): Promise<void> => {
    const commitment =
      payee.kind === 'wallet'
        ? createHash('sha256').update(payee.opening).update(`${payee.chain} ${payee.address.toLowerCase()}`).digest()
        : null;
    await asOwner(
      `INSERT INTO payees.payee (id, owner, kind, place, name, sealed, digest, commitment, added_at) VALUES ($1, $2, $3, 0, $4, $5, $6, $7, $8)`,
      [payee.id, customer, payee.kind, payee.name, Buffer.alloc(40), randomBytes(32), commitment, payee.addedAt],
    );
    const storedAt = new Date(payee.usableFrom.getTime() - 24 * 3_600_000);
    await asOwner('UPDATE payees.payee SET stored_at = $2 WHERE id = $1', [payee.id, storedAt]);
  };
  const savedFor = async (customer: bigint, id: string): Promise<PayeeSnapshot | null> => {
    const payee = payees.get(id) ?? null;
    if (payee && !saved.has(id)) saved.set(id, save(customer, payee));
    await saved.get(id);
    return payee;
  };
  const bahtRate = async () => ({ units: 33_250_000n, source: 'simulated', at: new Date('2026-11-01T00:00:00Z') });
  const openings: ApprovalOpening[] = [];
  const operators = {
    // Other tests cover operators' acts over HTTP.
    approvals: {
      open: async (_transaction: unknown, opening: ApprovalOpening) => {
        openings.push(opening);
        return { id: randomUUID(), fingerprint: '' };
      },
      propose: async (_transaction: unknown, _operator: unknown, proposal: ApprovalOpening) => {
        openings.push(proposal);
        return { ok: true, effect: { id: randomUUID(), fingerprint: '' } };
      },
      close: async () => true,
    } as never,
    stepUps: openStepUps(),
    audit: { append: async () => 0n },
    findWaiting: async () => null,
    workNameOf: async () => 'korn',
    usernameOf: async (customer: bigint) => `customer${customer}`,
  };
  const deposits = openDeposits({
    watchKey: createSecretKey(WATCH_KEY),
    observeEveryMs: 0,
    messages: { send: async () => undefined },
    database,
    ledger,
    bus,
    clock,
    mode: 'demo',
    timeZone: 'Asia/Bangkok',
    chain: opened,
    banks: fixedBankAccounts(null),
    sealer: openSealer(Buffer.alloc(32, 5), 'deposits'),
    bahtRate,
    readPicture: async () => null,
    freezes: { freeze: async () => undefined, end: async () => undefined },
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
    ...operators,
    onFault,
  });
  const frozen = new Set<bigint>();
  const frozenMeanwhile = new Set<bigint>();
  const subjects: string[] = [];
  const state = {
    changedAt: null as Date | null,
    dailyMax: usdt(1_000_000),
    terms: FIRST_CHANNEL_TERMS,
    word: CLEAR_VERDICT as CheckerVerdict | null,
    waits: [] as readonly WaitingPayout[],
    stop: null as PayoutStop | null,
  };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'sathorn-signer-'));
  const dependencies: WithdrawalsDependencies = {
    messages: { send: async () => undefined },
    database,
    ledger,
    bus,
    clock,
    timeZone: 'Asia/Bangkok',
    sealer: openSealer(Buffer.alloc(32, 5), 'withdrawals'),
    authorise: AUTHORISATION_SIGNER.sign,
    refusalKey: REFUSAL_KEY,
    chain: opened,
    hasBank: true,
    bahtRate,
    payees: {
      snapshotFor: (_queries, customer, id) => savedFor(customer, id),
      listOf: async () => [...payees.values()],
      async holdersOf(_queries, _chain, address) {
        const holders = [];
        for (const payee of payees.values()) {
          if (payee.kind !== 'wallet' || payee.address.toLowerCase() !== address) continue;
          const [row] = await asOwner('SELECT id, owner FROM payees.payee WHERE id = $1', [payee.id]);
          if (row) holders.push({ id: payee.id, customer: row.owner, name: payee.name, opening: payee.opening });
        }
        return holders;
      },
    },
    customers: {
      hasPaymentPassword: async () => true,
      checkPaymentPassword: async (_customer, paypass) =>
        paypass === '830274' ? accept(null) : { ok: false, refusal: 'paypass_wrong' },
      checkSecondFactor: async (_customer, { subject }) => {
        subjects.push(subject);
        return accept(null);
      },
      readFrozen: async (_queries, customers) => new Set(customers.filter((customer) => frozen.has(customer))),
      lockFrozen: async (_queries, customers) =>
        new Set(customers.filter((customer) => frozen.has(customer) || frozenMeanwhile.has(customer))),
    },
    credentialsChangedAt: async () => state.changedAt,
    dailyMaxOf: async () => money('USDT', state.dailyMax),
    terms: () => state.terms,
    depositedOf: deposits.api.completedTotal,
    headOf: (code) => deposits.api.headOf(code),
    sentBack: (id, _hash, at) => deposits.api.sentBack(id, at),
    votesOf: async () => new Map(),
    clearedUpTo: () => (state.word?.isClear ? state.word.sequence : null),
    ...operators,
    onFault,
  };
  const module = openWithdrawals(dependencies);
  const room = {
    ...dependencies,
    viewsOf: async () => [],
    changed: async () => undefined,
    kinds: { pass: approveUnattendedKind(dependencies.customers.lockFrozen) },
    heldSince: async () => (await readRestoration(database))?.since ?? null,
  } as unknown as WithdrawalsModule;
  const handlers = new Map<string, Handler>();
  for (const handler of module.handlers) handlers.set(`${handler.call.method} ${handler.call.path}`, handler);
  const watcher = deposits.watcher;

  const api: WithdrawalsTest = {
    test,
    chain,
    ledger,
    withdrawals: module.api,
    signerDatabase,
    faults,
    payees,
    frozen,
    frozenMeanwhile,
    subjects,
    get changedAt() {
      return state.changedAt;
    },
    set changedAt(at) {
      state.changedAt = at;
    },
    get dailyMax() {
      return state.dailyMax;
    },
    set dailyMax(units) {
      state.dailyMax = units;
    },
    get terms() {
      return state.terms;
    },
    set terms(terms) {
      state.terms = terms;
    },
    wallet(address = `0x${randomUUID().replaceAll('-', '')}12345678`, more = {}) {
      const id = randomBytes(16).toString('base64url');
      const old = new Date('2026-01-01T00:00:00Z');
      payees.set(id, {
        kind: 'wallet',
        id,
        name: 'Hardware',
        coin: 'USDT',
        chain: chain.config.code,
        address,
        addedAt: old,
        usableFrom: old,
        opening: randomBytes(32),
        accountDigest: randomBytes(32).toString('hex'),
        ...more,
      } as PayeeSnapshot);
      return id;
    },
    save: async (customer, id) => {
      const payee = await savedFor(customer, id);
      if (!payee) throw new Error('no such payee');
      return payee;
    },
    call: async (name, customer, request = {}, key = randomUUID()) => {
      const { amount, ...rest } = request as { amount?: number };
      return (await handlers.get(ROUTES[name])?.run({
        request: { ...rest, ...(amount !== undefined && { amount: { asset: 'USDT', units: usdt(amount) } }) },
        customer: { id: customer, sessionId: 'test' },
        intent: { id: key, digest: digestOf([name, request]) },
        now: clock.now(),
      } as never)) as WithdrawalsAnswer;
    },
    async fund(customer, whole) {
      await giveDemoMoney(
        ledger,
        { to: customer, asset: 'USDT', units: usdt(whole) },
        { id: randomUUID(), digest: 'fund' },
      );
    },
    async available(customer) {
      const spot = (await ledger.balances(customer)).find(({ account }) => account.name === 'spot');
      return spot?.available ?? 0n;
    },
    folder,
    get word() {
      return state.word;
    },
    set word(word) {
      state.word = word;
    },
    get stop() {
      return state.stop;
    },
    get waits() {
      return state.waits;
    },
    signer: (of = signerDatabase, bumpAfterMs = 60_000) =>
      openPayoutSigner({
        database: of,
        guard: openPayoutGuard({
          trust: pinAuthorisationKey(folder, AUTHORISATION_SIGNER.publicKeyHex),
          budget: openPayoutBudget(folder),
          approvedBy: (agreeable) => countApprovers(of, agreeable),
          word: () => state.word,
          alarm: (what) => onFault(new Error(what)),
        }),
        onWaits: (waits, stop) => {
          state.waits = waits;
          state.stop = stop;
        },
        chain: chain.config,
        hotKey: HOT_WALLET_KEY,
        depositKey: TEST_DEPOSIT_KEY,
        onFault,
        bumpAfterMs,
      }),
    async watch() {
      while (await watcher?.round());
      await endHaltWithAlarm(room);
      await trackChain(room, opened, clock.now());
    },
    addressOf: (customer) => addresses.find(customer),
    opened: openings,
    async examine(id, by) {
      const row = await readWithdrawal(database, id);
      if (!row?.approval) throw new Error('nobody was asked');
      await runAsOwner(
        test.owner,
        `SET session_replication_role = replica;
         INSERT INTO operators.approval (id, kind, subject, content, fingerprint, need, roles, status, decided_at)
           VALUES ('${row.approval}', 'withdrawal', '${id}', '${JSON.stringify(approvalContentOf(row))}', sha256('{}'), 1, '{finance,compliance}', 'approved', now());
         INSERT INTO operators.vote (approval, operator, session, decision, fingerprint, role)
           VALUES ('${row.approval}', ${by.id}, '${randomUUID()}', 'approve', sha256('{}'), '${by.role}')`,
      );
      const kind = withdrawalDecisionKind({
        approvals: { vote: async () => accept({ approvals: 1, need: 1, isDecided: true }) } as never,
        audit: operators.audit,
        customers: dependencies.customers as never,
      });
      const command = {
        id,
        at: clock.now(),
        version: row.version,
        operator: { id: by.id, workName: '', roles: [], sessionId: '' },
        decision: 'approve' as const,
        reason: null,
        note: undefined,
        waiting: {
          approval: row.approval,
          what: 'withdrawal' as const,
          fingerprint: '',
          reference: null,
          reason: null,
        },
      };
      const posted = await ledger.post(kind, command as never, { id: randomUUID(), digest: 'examine' });
      if (!posted.ok) throw new Error(`refused: ${posted.refusal}`);
    },
    ask: async (call, request, by = {}) =>
      (await handlers.get(call)?.run({
        request,
        operator: { id: 91n, workName: 'aa1', roles: ['finance'], sessionId: 'test', ...by },
        intent: { id: randomUUID(), digest: 'test' },
        now: clock.now(),
      } as never)) as { ok: boolean; refusal?: string; effect: never },
    settleByRule: () => deposits.settleByRule(clock.now()),
    progress: (id) => advanceWithdrawal(room, id, clock.now()),
    async read(customer, id) {
      const found = await module.api.read(customer, id);
      if (!found) throw new Error('no such withdrawal');
      return found.record;
    },
    async follow(customer, id, signer = api.signer()) {
      for (let n = 0; n < 40; n += 1) {
        await advanceWithdrawal(room, id, clock.now());
        await signer.round();
        await chain.mine();
        await api.watch();
        const record = await api.read(customer, id);
        if (record.step === 'done' || record.step === 'returned') return record;
      }
      return api.read(customer, id);
    },
    async paidTo(address) {
      const [units = 0n] = await chain.reader.balances([address]);
      return units;
    },
    violations: () => findViolations(test.checker),
    async close() {
      await signerDatabase.close();
      await owner.close();
      await rm(folder, { recursive: true, force: true });
      if (before === null) await chain.close();
      await test.close();
    },
  };
  return api;
}
