import type pg from 'pg';
import { type BallotRow, type PinnedVoters, trustOf, type VoterRow, verifiedVoters } from '../votes/index.ts';
import { type Findings, inSnapshot } from './run-invariants.ts';

/** Newest decisions are verified in each round, older ones in turn. */
const BALLOTS = 500;
const INVARIANT = 'OP5';
const SAYS =
  'every approved decision is signed by as many different people as it needs, with keys that are pinned or registered by two administrators';
/** Two people register a key, whatever an approval says. */
const REGISTRARS = 2;

const COLUMNS =
  'id, kind, subject, content, fingerprint, need, roles, made_by, status, decided_at, votes FROM votes.ballot';
const DECIDED = `status IN ('approved', 'stopped') AND decided_at >= $1`;

/** Verifies votes, with the keys of a file that nobody reaches through the database. */
export class VoteInspector {
  #after = '00000000-0000-0000-0000-000000000000';

  async inspect(client: pg.ClientBase, pinned: PinnedVoters | null, findings: Findings): Promise<void> {
    if (pinned === null) return;
    // One snapshot: a key that is registered between two queries would make its first vote look forged.
    const subjects = await inSnapshot(client, () => this.#unverified(client, pinned));
    if (subjects.length > 0) findings.add({ invariant: INVARIANT, says: SAYS, subjects });
  }

  async #unverified(client: pg.ClientBase, pinned: PinnedVoters): Promise<string[]> {
    const { since, isDemo } = pinned;
    const { rows: voters } = await client.query<VoterRow>('SELECT id, operator, ended_at, removed_at FROM votes.voter');
    const { rows: registrations } = await client.query<BallotRow>(
      `SELECT ${COLUMNS} WHERE kind = 'voting_key' AND status = 'approved'`,
    );
    const trusted = await trustOf(pinned, voters, registrations);
    const { rows: newest } = await client.query<BallotRow>(
      `SELECT ${COLUMNS} WHERE ${DECIDED} ORDER BY decided_at DESC LIMIT $2`,
      [since, BALLOTS],
    );
    const { rows: older } = await client.query<BallotRow>(
      `SELECT ${COLUMNS} WHERE ${DECIDED} AND id > $3 ORDER BY id LIMIT $2`,
      [since, BALLOTS, this.#after],
    );
    this.#after = older.length < BALLOTS ? '00000000-0000-0000-0000-000000000000' : (older.at(-1)?.id ?? this.#after);
    const subjects: string[] = [];
    for (const ballot of new Map([...newest, ...older].map((row) => [row.id, row])).values()) {
      const needed = ballot.kind === 'voting_key' ? REGISTRARS : ballot.need;
      const given = (await verifiedVoters(ballot, trusted, isDemo)).length;
      if (given < needed) subjects.push(`${ballot.kind} ${ballot.id}: ${given} of ${needed}`);
    }
    return subjects;
  }
}
