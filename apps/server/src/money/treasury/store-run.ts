import { randomUUID } from 'node:crypto';
import { hashOfSafeTransaction, type RunKind, type SafeTransaction } from '@sathorn/treasury';
import type { Queries } from '../../platform/database/index.ts';
import type { ChainConfig } from '../chain/index.ts';
import type { Signer, TreasuryModule } from './treasury.ts';
import { insertRun, type RunLineRow } from './treasury-store.ts';

/** How long people have to sign a run. */
const RUN_LAPSES_MS = 24 * 60 * 60 * 1_000;

interface NewRun {
  readonly operator: Signer & Parameters<TreasuryModule['audit']['append']>[1]['operator'];
  readonly now: Date;
  readonly safe: string;
  readonly kind: RunKind;
  readonly call: SafeTransaction;
  readonly lines: readonly Omit<RunLineRow, 'run'>[];
  /** Facts for the log, beside the hash. */
  readonly said: Readonly<Record<string, string>>;
}

/** Stores an open run, which people sign next. Returns its id. */
export async function storeRun(
  { audit }: Pick<TreasuryModule, 'audit'>,
  { code, chainId }: Pick<ChainConfig, 'code' | 'chainId'>,
  transaction: Queries,
  { operator, now, safe, kind, call, lines, said }: NewRun,
): Promise<string> {
  const id = randomUUID();
  const hash = hashOfSafeTransaction({ chainId, safe }, call);
  await insertRun(
    transaction,
    {
      id,
      chain: code,
      nonce: call.nonce,
      hash,
      kind,
      data: call.data,
      opened_by: operator.id,
      lapses_at: new Date(now.getTime() + RUN_LAPSES_MS),
    },
    lines,
  );
  await audit.append(transaction, {
    operator,
    what: 'run.opened',
    on: { kind: 'run', id },
    after: { hash, ...said },
  });
  return id;
}
