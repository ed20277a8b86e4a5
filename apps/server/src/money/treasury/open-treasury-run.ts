import { openTreasuryRun } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { decideRunOpening, writePaymentRun } from '@sathorn/treasury';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readSafe } from './read-safe.ts';
import { storeRun } from './store-run.ts';
import type { TreasuryModule } from './treasury.ts';
import { readTreasuryState } from './treasury-state.ts';
import { findPayable, readBusyRun } from './treasury-store.ts';

export function openTreasuryRunHandler({ database, chain, audit }: TreasuryModule): Handler {
  return handle(openTreasuryRun, async ({ operator, request: { withdrawals, top_up: asked }, now }) => {
    const treasury = chain?.config.treasury ?? null;
    if (chain === null || treasury === null) return refuse('treasury_missing');
    const { code, hot, token } = chain.config;
    const { safe, multiSend, hotMax } = treasury;
    return database.transaction(async (transaction) => {
      const state = await readTreasuryState(transaction, code);
      const found = await findPayable(transaction, code, withdrawals);
      const topUp = asked?.units ?? 0n;
      const decision = decideRunOpening({
        hasTreasury: state !== null,
        isBusy: (await readBusyRun(transaction, code)) !== null,
        wanted: withdrawals,
        found: found.map(({ id, address, units }) => ({ id, receiver: address, units })),
        topUp,
        held: state?.safe ?? 0n,
        hotHeld: state?.hot ?? 0n,
        hotMax,
      });
      if (!decision.ok) return decision;
      const { nonce } = await readSafe(chain.readers[0].rpc, safe);
      // The watcher has not read the newest run's block yet.
      if (nonce !== state?.nonce) return refuse('run_open');
      const lines = [
        ...found.map(({ id, address, units }) => ({ withdrawal_id: id, receiver: address, units })),
        ...(topUp > 0n ? [{ withdrawal_id: null, receiver: hot, units: topUp }] : []),
      ];
      const payment = writePaymentRun(
        lines.map(({ receiver: to, units }) => ({ token, to, units })),
        multiSend,
        nonce,
      );
      const said = { lines: String(lines.length), sum: String(decision.effect) };
      const run = { operator, now, safe, kind: 'payment' as const, call: payment, lines, said };
      return accept({ run: await storeRun({ audit }, chain.config, transaction, run) });
    });
  });
}
