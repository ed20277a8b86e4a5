import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hexOf, transferCall } from './erc20.ts';
import { openRpc, type Rpc } from './rpc.ts';

/** The contract's address follows from who made it and how many transactions they had sent: always the same one. */
export const TEST_TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
/** The node's own first account. Its key is known to everybody, like all else of a local chain. */
const FAUCET = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const MINT_CALL = '0x40c10f19';
const [FAUCET_UNITS, HOT_UNITS] = [1_000_000_000_000_000n, 5_000_000_000_000n];
const GAS_MONEY = 10n ** 20n;

const bytecode = (): string =>
  (JSON.parse(readFileSync(new URL('./contracts/test-usdt.json', import.meta.url), 'utf8')) as { bytecode: string })
    .bytecode;

export interface LocalToken {
  readonly token: string;
  /** Sends test money; the hash of the transaction. */
  send(to: string, units: bigint): Promise<string>;
}

/** The faucet alone: for processes that find the token there. */
export function openLocalToken(rpc: Rpc | string): LocalToken {
  const node = typeof rpc === 'string' ? openRpc(rpc) : rpc;
  return {
    token: TEST_TOKEN,
    // The node signs for its own accounts, and numbers their transactions one after the other.
    send: (to, units) =>
      node.call<string>('eth_sendTransaction', [{ from: FAUCET, to: TEST_TOKEN, data: transferCall(to, units) }]),
  };
}

/**
 * Deploys the test token where it is missing, and gives the house's wallet its test money and what it pays fees with.
 * Idempotent: each step looks first whether it was done.
 */
export async function prepareLocalToken(url: string, hot: string): Promise<LocalToken> {
  const rpc = openRpc(url);
  const isThere = async (): Promise<boolean> =>
    (await rpc.call<string>('eth_getCode', [TEST_TOKEN, 'latest'])).length > 2;
  const done = async (send: () => Promise<string>, isDone: () => Promise<boolean>): Promise<void> => {
    if (await isDone()) return;
    await send();
    await rpc.call('evm_mine', []);
    for (let n = 0; !(await isDone()); n += 1) {
      if (n > 200) throw new Error('the local chain does not take a transaction');
      await pause(25);
    }
  };
  const call = (data: string): Promise<string> => rpc.call('eth_call', [{ to: TEST_TOKEN, data }, 'latest']);
  const held = async (address: string): Promise<bigint> =>
    BigInt(await call(`0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`));
  const mint = (to: string, units: bigint): Promise<string> =>
    rpc.call('eth_sendTransaction', [
      {
        from: FAUCET,
        to: TEST_TOKEN,
        data: MINT_CALL + transferCall(to, units).slice(10),
      },
    ]);
  await done(
    () => rpc.call('eth_sendTransaction', [{ from: FAUCET, data: bytecode(), gas: hexOf(3_000_000) }]),
    isThere,
  );
  await done(
    () => mint(FAUCET, FAUCET_UNITS),
    async () => (await held(FAUCET)) > 0n,
  );
  // By what was ever minted: a wallet that has paid everything out must not get more.
  await done(
    () => mint(hot, HOT_UNITS),
    async () => BigInt(await call('0x18160ddd')) >= FAUCET_UNITS + HOT_UNITS,
  );
  await done(
    () => rpc.call('eth_sendTransaction', [{ from: FAUCET, to: hot, value: hexOf(GAS_MONEY) }]),
    async () => BigInt(await rpc.call<string>('eth_getBalance', [hot, 'latest'])) > 0n,
  );
  return openLocalToken(rpc);
}
