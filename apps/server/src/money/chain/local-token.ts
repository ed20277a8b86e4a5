import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hexQuantityOf, transferCallData } from './erc20.ts';
import { openRpc, type Rpc } from './rpc.ts';

/** The test token's address. It depends on its creator's address and nonce, so it is the same everywhere. */
export const TEST_TOKEN = '0x5fbdb2315678afecb367f032d93f642f64180aa3';
/** The node's first built-in account. Its private key is public knowledge. */
const FAUCET = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const MINT_CALL = '0x40c10f19';
const [FAUCET_UNITS, HOT_UNITS] = [1_000_000_000_000_000n, 5_000_000_000_000n];
const GAS_MONEY = 10n ** 20n;

const bytecode = (): string =>
  (JSON.parse(readFileSync(new URL('./contracts/test-usdt.json', import.meta.url), 'utf8')) as { bytecode: string })
    .bytecode;

interface LocalToken {
  readonly token: string;
  /** Sends test money and returns the transaction's hash. */
  send(to: string, units: bigint): Promise<string>;
}

/** Opens only the faucet, for processes that run after the token was deployed. */
export function openLocalToken(rpc: Rpc | string): LocalToken {
  const node = typeof rpc === 'string' ? openRpc(rpc) : rpc;
  return {
    token: TEST_TOKEN,
    // The node signs for its built-in accounts and assigns their nonces in order.
    send: (to, units) =>
      node.call<string>('eth_sendTransaction', [{ from: FAUCET, to: TEST_TOKEN, data: transferCallData(to, units) }]),
  };
}

/**
 * Deploys the test token if it is missing, and gives the hot wallet its test money and gas. Idempotent: each step first
 * checks whether it is done.
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
        data: MINT_CALL + transferCallData(to, units).slice(10),
      },
    ]);
  await done(
    () => rpc.call('eth_sendTransaction', [{ from: FAUCET, data: bytecode(), gas: hexQuantityOf(3_000_000) }]),
    isThere,
  );
  await done(
    () => mint(FAUCET, FAUCET_UNITS),
    async () => (await held(FAUCET)) > 0n,
  );
  // Checks the total ever minted, because a wallet that has paid everything out must not be refilled.
  await done(
    () => mint(hot, HOT_UNITS),
    async () => BigInt(await call('0x18160ddd')) >= FAUCET_UNITS + HOT_UNITS,
  );
  await done(
    () => rpc.call('eth_sendTransaction', [{ from: FAUCET, to: hot, value: hexQuantityOf(GAS_MONEY) }]),
    async () => BigInt(await rpc.call<string>('eth_getBalance', [hot, 'latest'])) > 0n,
  );
  return openLocalToken(rpc);
}
