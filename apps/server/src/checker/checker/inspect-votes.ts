import type { TrustedVoter } from '@sathorn/proof';
import type pg from 'pg';
import {
  type ActRow,
  BALLOT_COLUMNS,
  type BallotRow,
  isActSigned,
  isMakerVerified,
  type PinnedVoters,
  SIGNED_ACTS,
  trustedVotersOf,
  type VoterRow,
  verifiedVoters,
} from '../../staff/votes/index.ts';
import { type Findings, withSnapshot } from './run-invariants.ts';

/** Each round verifies this many of the newest decisions and acts, and as many older ones in turn. */
const ROWS = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';
const DECISIONS = {
  invariant: 'OP5',
  says: 'every approved decision is signed by as many different people as it needs, its maker included where the maker is one of them, with keys that are pinned or registered by two administrators',
};
const ACTS = {
  invariant: 'OP6',
  says: 'every match of a bank line, attested balance, approved certification and signature under a bank’s file is signed by the person in whose name it is, exactly as it was done',
};
/** Registering a key takes two people, whatever its approval says. */
const REGISTRARS = 2;

const COLUMNS = `${BALLOT_COLUMNS} FROM votes.ballot`;
const ACT_COLUMNS = 'id, act, subject, content, operator, step_up, key, proof, at_ms FROM votes.act';
const DECIDED = `status IN ('approved', 'stopped') AND decided_at >= $1`;

/** These acts are rows of their subjects, and their ids are those of their confirmations. */
const NAMED_BY_SUBJECT = new Set(['bank_run.sign', 'certification.approve']);
const nameOf = ({ act, id, subject }: ActRow): string => `${act} ${NAMED_BY_SUBJECT.has(act) ? subject : id}`;

/** Merges both lists without duplicates, and returns where the next turn of the older ones begins. */
function inTurn<Row extends { readonly id: string }>(newest: Row[], older: Row[]): { rows: Row[]; after: string } {
  const rows = [...new Map([...newest, ...older].map((row) => [row.id, row])).values()];
  return { rows, after: older.length < ROWS ? FIRST : (older.at(-1)?.id ?? FIRST) };
}

/** Verifies votes and acts with the keys of a file, which nobody can reach through the database. */
export class VoteInspector {
  #after = FIRST;
  readonly #afterActs = new Map<string, string>();

  async inspect(client: pg.ClientBase, pinned: PinnedVoters | null, findings: Findings): Promise<void> {
    if (pinned === null) return;
    // Uses one snapshot: if a key is registered between two queries, its first vote would look forged.
    const [decisions, acts] = await withSnapshot(client, async () => {
      const trusted = await this.#trusted(client, pinned);
      return [await this.#unverified(client, pinned, trusted), await this.#unsigned(client, pinned, trusted)];
    });
    if (decisions.length > 0) findings.add({ ...DECISIONS, subjects: decisions });
    if (acts.length > 0) findings.add({ ...ACTS, subjects: acts });
  }

  async #trusted(client: pg.ClientBase, pinned: PinnedVoters): Promise<readonly TrustedVoter[]> {
    const { rows: voters } = await client.query<VoterRow>('SELECT id, operator, ended_at, removed_at FROM votes.voter');
    const { rows: registrations } = await client.query<BallotRow>(
      `SELECT ${COLUMNS} WHERE kind = 'voting_key' AND status = 'approved'`,
    );
    return trustedVotersOf(pinned, voters, registrations);
  }

  async #unsigned(
    client: pg.ClientBase,
    { isDemo }: PinnedVoters,
    trusted: readonly TrustedVoter[],
  ): Promise<string[]> {
    const subjects: string[] = [];
    for (const act of Object.keys(SIGNED_ACTS)) {
      const { rows: newest } = await client.query<ActRow>(
        `SELECT ${ACT_COLUMNS} WHERE act = $1 ORDER BY done_at DESC LIMIT $2`,
        [act, ROWS],
      );
      const { rows: older } = await client.query<ActRow>(
        `SELECT ${ACT_COLUMNS} WHERE act = $1 AND id > $3 ORDER BY id LIMIT $2`,
        [act, ROWS, this.#afterActs.get(act) ?? FIRST],
      );
      const { rows, after } = inTurn(newest, older);
      this.#afterActs.set(act, after);
      for (const row of rows) if (!(await isActSigned(row, trusted, isDemo))) subjects.push(nameOf(row));
    }
    return subjects;
  }

  async #unverified(
    client: pg.ClientBase,
    { since, isDemo }: PinnedVoters,
    trusted: readonly TrustedVoter[],
  ): Promise<string[]> {
    const { rows: newest } = await client.query<BallotRow>(
      `SELECT ${COLUMNS} WHERE ${DECIDED} ORDER BY decided_at DESC LIMIT $2`,
      [since, ROWS],
    );
    const { rows: older } = await client.query<BallotRow>(
      `SELECT ${COLUMNS} WHERE ${DECIDED} AND id > $3 ORDER BY id LIMIT $2`,
      [since, ROWS, this.#after],
    );
    const { rows, after } = inTurn(newest, older);
    this.#after = after;
    const subjects: string[] = [];
    for (const ballot of rows) {
      const needed = ballot.kind === 'voting_key' ? REGISTRARS : ballot.need;
      const given = (await verifiedVoters(ballot, trusted, isDemo)).length;
      if (given < needed) subjects.push(`${ballot.kind} ${ballot.id}: ${given} of ${needed}`);
      else if ((await isMakerVerified(ballot, trusted, isDemo)) === false)
        subjects.push(`${ballot.kind} ${ballot.id}: not signed by its maker`);
    }
    return subjects;
  }
}
