import { readTreasury } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/index.ts';
import { checksumAddressOf } from '../chain/index.ts';
import { readDueChanges } from './read-due-changes.ts';
import { readOwnSigning } from './run-signing.ts';
import type { TreasuryModule } from './treasury.ts';
import { readTreasuryState, type TreasuryStateRow } from './treasury-state.ts';
import { type OwnerRow, readBusyRun, readOwners, readPayable, readRecentRuns } from './treasury-store.ts';
import { usdtText, viewLines, viewRuns } from './view-run.ts';

/** What the hot wallet lacks to half of its ceiling, once it holds less than a quarter of it; 0 otherwise. */
export const topUpOf = (held: bigint, ceiling: bigint): bigint => (held * 4n < ceiling ? ceiling / 2n - held : 0n);

async function viewTreasury(
  { chain, workNameOf }: TreasuryModule,
  state: TreasuryStateRow,
  known: ReadonlyMap<string, OwnerRow>,
) {
  const treasury = chain?.config.treasury ?? null;
  if (chain === null || treasury === null) return null;
  const { config } = chain;
  const owners = state.owners.map(async (address) => {
    const owner = known.get(address);
    const operator = owner?.operator ?? null;
    return {
      address: checksumAddressOf(address),
      kind: owner?.kind ?? ('unknown' as const),
      operator: operator === null ? null : { id: String(operator), work_name: await workNameOf(operator) },
      has_left: owner?.has_left ?? false,
      overdue_since: owner?.overdue_since?.toISOString() ?? null,
    };
  });
  return {
    chain: config.name,
    chain_id: config.chainId,
    explorer: config.explorer,
    token: config.token,
    safe: treasury.safe,
    hot: config.hot,
    multi_send: treasury.multiSend,
    version: state.version,
    threshold: state.threshold,
    owners: await Promise.all(owners),
    modules: [...state.modules],
    guard: state.guard,
    nonce: String(state.nonce),
    height: String(state.height),
    at: state.at.toISOString(),
    held: { treasury: usdtText(state.safe), hot: usdtText(state.hot), addresses: usdtText(state.addresses) },
    hot_max: usdtText(treasury.hotMax),
  };
}

export function readTreasuryHandler(module: TreasuryModule): Handler[] {
  const { database, chain } = module;
  return allowOnAnyClock(
    handle(readTreasury, async ({ operator, now }) => {
      const place = chain?.config.treasury ?? null;
      const code = chain?.config.code ?? '';
      const state = place && (await readTreasuryState(database, code));
      if (place === null || state === null) {
        const own = { kind: null, credentials: [], refusal: 'treasury_missing' };
        return accept({
          treasury: null,
          run: null,
          recent: [],
          waiting: [],
          top_up: null,
          candidates: [],
          due: [],
          own,
        });
      }
      const known = new Map((await readOwners(database, code)).map((one) => [one.address, one]));
      const [busy, recent, payable] = await Promise.all([
        readBusyRun(database, code),
        readRecentRuns(database, code),
        readPayable(database, code),
      ]);
      const signing = { run: busy, operator: operator.id, counted: state.owners, next: state.nonce, hash: null, now };
      const { owners, refusal } = await readOwnSigning(database, signing);
      const [shown = null] = busy === null ? [] : await viewRuns(module, [busy]);
      const lacking = topUpOf(state.hot, place.hotMax);
      const [first] = owners;
      return accept({
        treasury: await viewTreasury(module, state, known),
        run: shown,
        recent: await viewRuns(module, recent),
        waiting: await viewLines(
          module,
          payable.map(({ id, address, units }) => ({ withdrawal_id: id, receiver: address, units })),
        ),
        top_up: lacking > 0n ? usdtText(lacking) : null,
        ...(await readDueChanges(module, state, known)),
        own: {
          kind: first === undefined || first.kind === 'cold' ? null : first.kind,
          credentials: owners.flatMap(({ credential }) => credential ?? []),
          refusal,
        },
      });
    }),
  );
}
