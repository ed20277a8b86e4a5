import { randomUUID } from 'node:crypto';
import type { ResultOf, readTreasury } from '@sathorn/api';
import { systemClock } from '../../platform/clock.ts';
import { runAsOwner } from '../../platform/database/testing.ts';
import type { Handler } from '../../platform/edge/index.ts';
import { openRpc } from '../chain/index.ts';
import { openTestChain } from '../testing-chain.ts';
import {
  HOT_WALLET_ADDRESS,
  openWithdrawalsTest,
  usdt,
  type WithdrawalsTest,
} from '../withdrawals/testing-withdrawals.ts';
import { declareTreasury } from './declare-treasury.ts';
import { type DemoOwner, demoOwnerOf } from './demo-owner.ts';
import { openTreasury } from './open-treasury.ts';
import { type LocalTreasury, prepareLocalTreasury } from './treasury-contracts.ts';
import { endStaleRuns } from './treasury-store.ts';

/** Two of finance and two of compliance, all of them owners, and one of finance who is none. */
export const TREASURY_PEOPLE = [
  { id: 91n, workName: 'korn', role: 'finance' },
  { id: 92n, workName: 'fah', role: 'finance' },
  { id: 93n, workName: 'ploy', role: 'compliance' },
  { id: 94n, workName: 'tan', role: 'compliance' },
  { id: 95n, workName: 'ek', role: 'finance' },
] as const;
export type TreasuryPerson = (typeof TREASURY_PEOPLE)[number];

const OWNER_NAMES = ['korn', 'fah', 'ploy', 'tan'] as const;
const SESSION_KEY = Buffer.alloc(32, 3);
export const demoOwnerNamed = (workName: string): DemoOwner => demoOwnerOf(SESSION_KEY, workName);

interface CallAnswer<Effect = { readonly run: string; readonly signatures: number }> {
  readonly ok: boolean;
  readonly refusal?: string;
  readonly effect: Effect;
}
export interface TreasuryTest {
  readonly room: WithdrawalsTest;
  readonly treasury: LocalTreasury;
  /** A customer's request that needs people, to an address of its own. */
  ask(amount: number): Promise<{ readonly id: string; readonly customer: bigint; readonly address: string }>;
  /** Writes the vote of one person and approves the withdrawal with it. */
  examine(id: string, by?: TreasuryPerson): Promise<void>;
  call(name: 'open' | 'owners' | 'sign' | 'withdraw', person: TreasuryPerson, request: object): Promise<CallAnswer>;
  read(person?: TreasuryPerson): Promise<ResultOf<typeof readTreasury>>;
  /** Opens a run of these withdrawals and has two people sign it. Returns its id. */
  sign(ids: readonly string[], more?: object): Promise<string>;
  /** Reads the chain, tracks what was sent and ends stale runs, `times` blocks long. */
  settle(times?: number): Promise<void>;
  close(): Promise<void>;
}

/** Withdrawals, their signer and a treasury on one chain. */
export async function openTreasuryTest(hotMax = usdt(100_000)): Promise<TreasuryTest> {
  const chain = await openTestChain({ hot: HOT_WALLET_ADDRESS });
  const rpc = openRpc(chain.url);
  const treasury = await prepareLocalTreasury(
    rpc,
    OWNER_NAMES.map((name) => demoOwnerNamed(name).point),
  );
  const { safe, contracts, owners } = treasury;
  const demoOwners = OWNER_NAMES.map((workName, n) => ({ workName, address: owners[n] ?? '' }));
  const place = { safe, multiSend: contracts['multi-send-call-only'], hotMax, demoOwners };
  const config = { ...chain.config, treasury: place };
  const room = await openWithdrawalsTest({}, undefined, { chain: { ...chain, config }, payees: new Map() });
  const { test } = room;
  const people = TREASURY_PEOPLE.map(({ id, workName, role }) => `(${id}, '${workName}', '{${role}}')`).join();
  await runAsOwner(
    test.owner,
    `SET session_replication_role = replica;
     INSERT INTO operators.operator (id, work_name, roles) OVERRIDING SYSTEM VALUE VALUES ${people}`,
  );
  await declareTreasury(test.owner, config);
  await chain.send(safe, usdt(1_000_000));
  await chain.mine();
  const module = openTreasury({
    database: test.database,
    clock: systemClock,
    chain: { config, readers: [chain.reader, chain.reader] },
    audit: { append: async () => 0n },
    demoOwner: demoOwnerNamed,
    coldOwners: [],
    consoleHost: 'console.example',
    usernameOf: async (customer) => `customer${customer}`,
    operators: {
      findColleague: async (_queries, name) => {
        const found = TREASURY_PEOPLE.find(({ workName }) => workName === name);
        return found ? { id: found.id, roles: [found.role] } : null;
      },
      listColleagues: (queries) =>
        queries.query({
          name: '',
          text: 'SELECT id, work_name FROM operators.operator WHERE removed_at IS NULL ORDER BY id',
        }),
      readP256Passkey: async () => null,
    },
    workNameOf: async (id) => TREASURY_PEOPLE.find((one) => one.id === id)?.workName ?? '',
    onFault: (error) => void room.faults.push(error),
  });
  const handlers = new Map<string, Handler>(module.handlers.map((one) => [one.call.path, one]));
  const run = async <Effect>(
    path: string,
    { id, workName, role }: TreasuryPerson,
    request: object,
  ): Promise<CallAnswer<Effect>> =>
    (await handlers.get(`/admin/treasury/${path}`)?.run({
      request,
      operator: { id, workName, roles: [role], sessionId: randomUUID() },
      intent: { id: randomUUID(), digest: 'test' },
      now: systemClock.now(),
    } as never)) as CallAnswer<Effect>;

  const [korn, fah, ploy, tan] = TREASURY_PEOPLE;
  let count = 0;

  const api: TreasuryTest = {
    room,
    treasury,
    async ask(amount) {
      count += 1;
      const customer = 7_000n + BigInt(count);
      await room.fund(customer, amount + 10);
      const address = `0x${(count + 0xa000).toString(16).repeat(10)}`;
      const order = { channel: 'testnet', target: room.wallet(address), amount, paypass: '830274' };
      const answer = await room.call('extract', customer, order);
      if (!answer.ok) throw new Error(`refused: ${answer.refusal}`);
      await room.progress(answer.effect.id);
      return { id: answer.effect.id, customer, address };
    },
    examine: (id, by = tan) => room.examine(id, by),
    call: (name, person, request) => run(name, person, request),
    read: async (person = korn) => (await run<ResultOf<typeof readTreasury>>('info', person, {})).effect,
    async sign(ids, more = {}) {
      const opened = await api.call('open', korn, { withdrawals: ids, ...more });
      if (!opened.ok) throw new Error(`refused: ${opened.refusal}`);
      const { run: shown } = await api.read();
      for (const person of [fah, ploy]) {
        const signed = await api.call('sign', person, { id: opened.effect.run, hash: shown?.hash });
        if (!signed.ok) throw new Error(`refused: ${signed.refusal}`);
      }
      return opened.effect.run;
    },
    async settle(times = 4) {
      for (let n = 0; n < times; n += 1) {
        await chain.mine();
        await room.watch();
      }
      await endStaleRuns(test.database, systemClock.now());
    },
    async close() {
      await room.close();
      await chain.close();
    },
  };
  await api.settle(4);
  return api;
}
