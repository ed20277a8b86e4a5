import {
  decideTreasuryTransaction,
  hashOfSafeTransaction,
  joinSignatures,
  type OwnerSignature,
  transactionOfRun,
  writeExecution,
} from '@sathorn/treasury';
import type { Database } from '../../../platform/database/index.ts';
import { type ChainConfig, RpcRefusal } from '../../chain/index.ts';
import { isOwnerSignatureValid, readSafe } from '../../treasury/read-safe.ts';
import type { ChainSender, TransactionContent } from './chain-sender.ts';
import type { PayoutGuard } from './payout-guard.ts';
import { readRunToExecute, readSignedRuns, refuseRun, type SignedRun } from './run-store.ts';
import { readAuthorisedPayouts } from './signer-store.ts';

/** Reserves a nonce of the hot wallet for the run and sends the transaction. */
export type SendRun = (run: string, act: TransactionContent, gas: bigint) => Promise<void>;

interface RunsDependencies {
  readonly database: Database;
  readonly chain: ChainConfig;
  readonly guard: PayoutGuard;
  readonly sender: Pick<ChainSender, 'leader' | 'alarm' | 'apart' | 'estimate'>;
  readonly send: SendRun;
}

interface Runs {
  /** Sends the runs that enough owners have signed. */
  round(): Promise<void>;
  /** The transaction that executes a run; null unless its rows are what its hash says. */
  actOf(run: string): Promise<TransactionContent | null>;
}

/**
 * Sends payment runs of the treasury. The chain decides whether a run is valid; this process looks first whether its
 * lines are what customers authorised, so that it pays for no gas in vain and nothing stands beside the books.
 */
export function openRuns({ database, chain, guard, sender, send }: RunsDependencies): Runs {
  const { alarm, leader } = sender;
  const { treasury } = chain;
  /** The signatures that the chain accepts. Rows that nobody signed must not keep the others from it. */
  const validOf = async ({ hash, signatures }: SignedRun, owners: readonly string[]): Promise<OwnerSignature[]> => {
    const checked = await Promise.all(
      signatures.map(async (one) => owners.includes(one.owner) && (await isOwnerSignatureValid(leader, one, hash))),
    );
    return signatures.filter((_, n) => checked[n]);
  };
  const executionOf = async (run: SignedRun): Promise<TransactionContent | null> => {
    if (treasury === null) return null;
    const { safe } = treasury;
    const transaction = transactionOfRun(run, treasury);
    if (hashOfSafeTransaction({ chainId: chain.chainId, safe }, transaction) !== run.hash) {
      alarm(`the hash of payment run ${run.id} is not that of its data: it is not sent`);
      return null;
    }
    const { owners, threshold, nonce } = await readSafe(leader, safe);
    // Another transaction executed this run or took its place; the watcher reads which.
    if (nonce > run.nonce) return null;
    const valid = await validOf(run, owners);
    if (valid.length < threshold) {
      alarm(`the chain accepts ${valid.length} signatures of payment run ${run.id}: it is refused`);
      await refuseRun(database, run.id);
      return null;
    }
    return { to: safe, data: writeExecution(transaction, joinSignatures(valid)), value: 0n };
  };

  /** Why the run is not sent; null if it may be. */
  const refusalOf = async (run: SignedRun): Promise<string | null> => {
    if (treasury === null) return 'there is no treasury';
    const { safe, multiSend } = treasury;
    const facts = { safe, multiSend, tokens: [chain.token], ...(await readSafe(leader, safe)) };
    const decision = decideTreasuryTransaction(transactionOfRun(run, treasury), facts);
    if (!decision.ok) return decision.refusal;
    const { effect } = decision;
    if (effect.kind === 'owners')
      return run.kind === 'owners' && run.lines.length === 0 ? null : 'its lines are others';
    if (effect.lines.length !== run.lines.length) return 'its lines are others';
    const same = run.lines.every(({ receiver, units }, n) => {
      const line = effect.lines[n];
      return line?.to === receiver && line.units === units;
    });
    if (!same) return 'its lines are others';
    const ids = run.lines.flatMap(({ withdrawal }) => withdrawal ?? []);
    const payouts = await readAuthorisedPayouts(database, ids);
    for (const { withdrawal, receiver } of run.lines) {
      if (withdrawal === null) {
        if (receiver !== chain.hot) return `${receiver} is not the hot wallet`;
        continue;
      }
      const payout = payouts.get(withdrawal);
      if (payout === undefined) return `withdrawal ${withdrawal} is unknown`;
      const waits = await guard.admitLine(payout);
      if (waits !== null) return `withdrawal ${withdrawal} waits for: ${waits}`;
    }
    return null;
  };

  return {
    async round() {
      if (treasury === null) return;
      for (const run of await readSignedRuns(database, chain.code))
        await sender.apart(`payment run ${run.id}`, async () => {
          const act = await executionOf(run);
          if (act === null) return;
          const refusal = await refusalOf(run);
          // The checker walks past a new withdrawal within seconds.
          if (refusal?.endsWith('waits for: checker')) return;
          if (refusal !== null) return alarm(`payment run ${run.id} is not sent: ${refusal}`);
          try {
            await send(run.id, act, await sender.estimate(chain.hot, act));
          } catch (error) {
            if (!(error instanceof RpcRefusal)) throw error;
            alarm(`the chain refuses payment run ${run.id}: ${error.message}`);
          }
        });
    },
    async actOf(id) {
      const run = await readRunToExecute(database, id);
      return run && (await executionOf(run));
    },
  };
}
