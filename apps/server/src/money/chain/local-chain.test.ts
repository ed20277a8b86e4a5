import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { hasLocalChain, LOCAL_CHAIN_FILE, readLocalChainState, startLocalChain } from './local-chain.ts';
import { prepareLocalToken, TEST_TOKEN } from './local-token.ts';
import { openRpc } from './rpc.ts';

const HOT = `0x${'ab'.repeat(20)}`;
const PAYEE = `0x${'cd'.repeat(20)}`;

it.skipIf(!hasLocalChain())(
  'is kept as of the moment that it is asked for, and goes on elsewhere from there',
  async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'sathorn-kept-chain-'));
    const open = (dataDir: string) => startLocalChain({ dataDir, print: () => undefined, blockMs: 0 });
    const [from, to] = [path.join(home, 'from'), path.join(home, 'to')];
    const stateOf = async (url: string): Promise<string[]> => {
      const rpc = openRpc(url);
      const call = { to: TEST_TOKEN, data: `0x70a08231${PAYEE.slice(2).padStart(64, '0')}` };
      return [await rpc.call('eth_blockNumber', []), await rpc.call('eth_call', [call, 'latest'])];
    };
    try {
      expect(await readLocalChainState(from)).toBe(null);
      const chain = await open(from);
      const token = await prepareLocalToken(chain.url, HOT);
      await token.send(PAYEE, 7_000_000n);
      await openRpc(chain.url).call('evm_mine', []);
      // The node writes its file only seconds later, so this reads the running node.
      const kept = await readLocalChainState(from);
      const wanted = await stateOf(chain.url);
      expect(BigInt(wanted[1] ?? 0)).toBe(7_000_000n);
      await chain.stop();
      mkdirSync(path.join(to, 'chain'), { recursive: true });
      writeFileSync(path.join(to, LOCAL_CHAIN_FILE), kept ?? '');
      const restored = await open(to);
      expect(await stateOf(restored.url)).toEqual(wanted);
      await restored.stop();
      expect(await readLocalChainState(to)).not.toBe(null);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
);
