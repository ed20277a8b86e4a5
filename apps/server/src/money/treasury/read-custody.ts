import { type Custody, readCustody } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { selectorOf } from '@sathorn/treasury';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { checksumAddressOf } from '../chain/index.ts';
import type { TreasuryModule } from './treasury.ts';
import { readTreasuryState } from './treasury-state.ts';
import { readOwners } from './treasury-store.ts';
import { usdtText } from './view-run.ts';

/** A command for anybody's terminal: threshold and owners of the Safe, from a node of the reader's choice. */
function commandOf(safe: string, node: string): string {
  const calls = ['getThreshold()', 'getOwners()'].map((signature, id) => ({
    jsonrpc: '2.0',
    id,
    method: 'eth_call',
    params: [{ to: safe, data: `0x${selectorOf(signature)}` }, 'latest'],
  }));
  return `curl -s ${node} -H 'content-type: application/json' -d '${JSON.stringify(calls)}'`;
}

export async function custodyOf({
  database,
  chain,
}: Pick<TreasuryModule, 'database' | 'chain'>): Promise<Custody | null> {
  if (chain === null) return null;
  const { code, name, treasury, hot, isLocal, rpcUrls } = chain.config;
  const state = treasury && (await readTreasuryState(database, code));
  if (treasury === null || state === null) return { chain: name, treasury: null };
  const owners = await readOwners(database, code);
  return {
    chain: name,
    treasury: {
      safe: checksumAddressOf(treasury.safe),
      threshold: state.threshold,
      owners: state.owners.map(checksumAddressOf),
      is_odd: state.modules.length > 0 || state.guard !== null,
      is_demo: owners.some(({ kind }) => kind === 'demo'),
      hot: checksumAddressOf(hot),
      hot_max: usdtText(treasury.hotMax),
      held: { treasury: usdtText(state.safe), hot: usdtText(state.hot), addresses: usdtText(state.addresses) },
      height: String(state.height),
      at: state.at.toISOString(),
      // The node of a demo is this machine's own. Whoever reads the page of a real one chooses a node.
      command: commandOf(treasury.safe, isLocal ? (rpcUrls[0] ?? '') : 'https://NODE'),
    },
  };
}

export function readCustodyHandler(module: TreasuryModule): Handler[] {
  return allowOnAnyClock(handle(readCustody, async () => accept(await custodyOf(module))));
}
