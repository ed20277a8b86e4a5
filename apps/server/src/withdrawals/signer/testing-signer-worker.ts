import type { ChainConfig } from '../../chain/index.ts';
import { type Database, openDatabase } from '../../database/index.ts';
import { openSigner } from './run-signer.ts';
import { TEST_DEPOSIT_KEY } from './testing-deposit-keys.ts';

/** A signer that kills itself, with SIGKILL, at its nth statement, commit or question to a node. */
const { connection, chain, hotKey, nth } = JSON.parse(process.argv[2] ?? '{}') as {
  readonly connection: Parameters<typeof openDatabase>[0];
  /** A bigint does not survive JSON. */
  readonly chain: Omit<ChainConfig, 'sweepMin'> & { readonly sweepMin: string };
  readonly hotKey: `0x${string}`;
  readonly nth: number;
};
let left = nth;
const step = (): void => {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
async function struck<Result>(work: () => Promise<Result>): Promise<Result> {
  step();
  const result = await work();
  step();
  return result;
}

const { fetch } = globalThis;
globalThis.fetch = (...of) => struck(() => fetch(...of));
const plain = openDatabase(connection, { connections: 2 });
const database: Database = {
  ...plain,
  query: (...of) => struck(() => plain.query(...of)),
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
await openSigner({
  database,
  chain: { ...chain, sweepMin: BigInt(chain.sweepMin) },
  hotKey,
  depositKey: TEST_DEPOSIT_KEY,
  onFault: (error) => console.error(error),
}).round();
await plain.close();
