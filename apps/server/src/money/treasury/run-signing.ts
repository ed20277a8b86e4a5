import { decideRunSigning, type RunSigningRefusal } from '@sathorn/treasury';
import type { Queries } from '../../platform/database/index.ts';
import {
  type OwnerRow,
  type RunRow,
  readExamined,
  readOwners,
  readRunLines,
  readRunSignatures,
} from './treasury-store.ts';

interface OwnSigning {
  /** The operator's keys that the chain counts. */
  readonly owners: readonly OwnerRow[];
  readonly refusal: RunSigningRefusal | null;
}

/** Whether this operator may sign this run, and with which keys. `hash` is what the operator's console computed. */
export async function readOwnSigning(
  queries: Queries,
  {
    run,
    operator,
    counted,
    next,
    hash,
    now,
  }: {
    readonly run: RunRow | null;
    readonly operator: bigint;
    /** The owners that the chain names. */
    readonly counted: readonly string[];
    /** The Safe's next nonce. */
    readonly next: bigint;
    readonly hash: string | null;
    readonly now: Date;
  },
): Promise<OwnSigning> {
  const ids = run === null ? [] : [run.id];
  const [lines, signatures, all] = await Promise.all([
    readRunLines(queries, ids),
    readRunSignatures(queries, ids),
    run === null ? [] : readOwners(queries, run.chain),
  ]);
  const examined = await readExamined(
    queries,
    lines.flatMap(({ withdrawal_id: id }) => id ?? []),
  );
  const owners = all.filter((one) => one.operator === operator && counted.includes(one.address));
  const decision = decideRunSigning({
    step: run?.step ?? null,
    hasLapsed: run !== null && run.lapses_at <= now,
    isNext: run?.nonce === next,
    isSameHash: hash === null || hash === run?.hash,
    isOwner: owners.length > 0,
    hasSigned: signatures.some((one) => one.operator === operator),
    hasExamined: [...examined.values()].some(({ examined_by: by }) => by.includes(String(operator))),
  });
  return { owners, refusal: decision.ok ? null : decision.refusal };
}
