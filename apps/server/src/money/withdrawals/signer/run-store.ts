import type { Hex, OwnerSignature, RunKind } from '@sathorn/treasury';
import { column, type Queries, statement, table } from '../../../platform/database/index.ts';

interface SignedRunLine {
  /** Null for a top-up of the hot wallet. */
  readonly withdrawal: string | null;
  readonly receiver: string;
  /** In units of the token. */
  readonly units: bigint;
}
/** A payment run that enough owners of the treasury have signed. */
export interface SignedRun {
  readonly id: string;
  /** The Safe's nonce. */
  readonly nonce: bigint;
  readonly hash: Hex;
  readonly kind: RunKind;
  readonly data: Hex;
  readonly lines: readonly SignedRunLine[];
  readonly signatures: readonly OwnerSignature[];
}

type StoredLine = readonly [withdrawal: string | null, receiver: string, units: string];
interface StoredRun extends Omit<SignedRun, 'lines'> {
  readonly lines: readonly StoredLine[];
}
const RUNS = table<StoredRun>({
  id: column.uuid,
  nonce: column.bigint,
  hash: column.text<Hex>(),
  kind: column.text<RunKind>(),
  data: column.text<Hex>(),
  lines: column.json(),
  signatures: column.json(),
});
const READ_SIGNED = statement(
  'signer.read_signed_runs',
  `SELECT ${RUNS.names} FROM withdrawals.signed_run WHERE chain = $1 AND step = 'signed' ORDER BY opened_at`,
);
const READ_ONE = statement('signer.read_run', `SELECT ${RUNS.names} FROM withdrawals.signed_run WHERE id = $1`);

const runOf = ({ lines, ...rest }: StoredRun): SignedRun => ({
  ...rest,
  lines: lines.map(([withdrawal, receiver, units]) => ({ withdrawal, receiver, units: BigInt(units) })),
});

export const readSignedRuns = async (queries: Queries, chain: string): Promise<SignedRun[]> =>
  (await RUNS.query(queries, READ_SIGNED, [chain])).map(runOf);

const REFUSE = statement('signer.refuse_run', 'SELECT withdrawals.refuse_run($1)');
/** Its withdrawals then wait for another run. */
export async function refuseRun(queries: Queries, id: string): Promise<void> {
  await queries.query(REFUSE, [id]);
}

export async function readRunToExecute(queries: Queries, id: string): Promise<SignedRun | null> {
  const [row] = await RUNS.query(queries, READ_ONE, [id]);
  return row ? runOf(row) : null;
}
