import { type Database, openDatabase } from '../../../platform/database/index.ts';
import type { ChainConfig, TreasuryPlace } from '../../chain/index.ts';
import { openPayoutBudget } from './payout-budget.ts';
import { openPayoutGuard, pinAuthorisationKey } from './payout-guard.ts';
import { openPayoutSigner } from './run-signer.ts';
import { countApprovers } from './signer-store.ts';
import { TEST_DEPOSIT_KEY } from './testing-deposit-keys.ts';

/**
 * A signer that kills itself (SIGKILL) at its nth statement, commit or query to a node. Optionally it counts only those
 * that leave something behind, because it makes no difference where it dies between two of them.
 */
const {
  connection,
  chain,
  hotKey,
  folder,
  authorisationKey,
  nth,
  isWritesOnly = false,
} = JSON.parse(process.argv[2] ?? '{}') as {
  readonly connection: Parameters<typeof openDatabase>[0];
  /** JSON has no bigint. */
  readonly chain: Omit<ChainConfig, 'sweepMin' | 'treasury'> & {
    readonly sweepMin: string;
    readonly treasury: (Omit<TreasuryPlace, 'hotMax'> & { readonly hotMax: string }) | null;
  };
  readonly hotKey: `0x${string}`;
  /** The signer's own folder, and the key that it trusts. */
  readonly folder: string;
  readonly authorisationKey: string;
  readonly nth: number;
  readonly isWritesOnly?: boolean;
};
let left = nth;
const step = (): void => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
async function struck<Result>(work: () => Promise<Result>, isWrite = true): Promise<Result> {
  const counts = isWrite || !isWritesOnly;
  if (counts) step();
  const result = await work();
  if (counts) step();
  return result;
}

const { fetch } = globalThis;
globalThis.fetch = (...of) => struck(() => fetch(...of), String(of[1]?.body).includes('eth_sendRawTransaction'));
const plain = openDatabase(connection, { connections: 2 });
const database: Database = {
  ...plain,
  query: (statement, ...of) => struck(() => plain.query(statement, ...of), statement.text.startsWith('INSERT')),
  transaction: (work) =>
    struck(() =>
      plain.transaction((transaction) =>
        work({
          isTransaction: true,
          pipelineCommit: () => transaction.pipelineCommit(),
          query: (...of) => struck(() => transaction.query(...of)),
        }),
      ),
    ),
};
await openPayoutSigner({
  database,
  chain: {
    ...chain,
    sweepMin: BigInt(chain.sweepMin),
    treasury: chain.treasury && { ...chain.treasury, hotMax: BigInt(chain.treasury.hotMax) },
  },
  hotKey,
  guard: openPayoutGuard({
    trust: pinAuthorisationKey(folder, authorisationKey),
    budget: openPayoutBudget(folder),
    approvedBy: (agreeable) => countApprovers(database, agreeable),
    word: () => ({ sequence: 2n ** 62n, isClear: true }),
    alarm: (what) => console.error(what),
  }),
  depositKey: TEST_DEPOSIT_KEY,
  onFault: (error) => console.error(error),
}).round();
await plain.close();
