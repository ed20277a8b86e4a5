import { VOTER_APPROVAL, voterIdOf, writeVoter } from '@sathorn/proof';
import type { Queries } from '../../platform/database/index.ts';
import type { OperatorSession } from '../../platform/edge/index.ts';
import { insertVoter, readVoterRow, readVotersOf, type VoterRow } from '../votes/index.ts';
import type { ApprovalKind } from './approvals.ts';
import type { OperatorsModule } from './operators.ts';
import { voterRegistrationOf } from './voting.ts';

const WAITS_MS = 72 * 60 * 60_000;

/**
 * Asks two administrators to register a key. They sign a text that names key, owner and roles; until then its votes do
 * not count. An administrator is not the maker of their own registration, so their older key may be one of the two.
 */
export async function askToRegisterVoter(
  { approvals, audit }: Pick<OperatorsModule, 'approvals' | 'audit'>,
  transaction: Queries,
  voter: VoterRow,
  operator: OperatorSession | null,
  now: Date,
): Promise<string> {
  const { id: approval } = await approvals.open(transaction, {
    kind: VOTER_APPROVAL,
    subject: voter.id,
    fingerprintOf: JSON.parse(writeVoter(voterRegistrationOf(voter))) as Record<string, string>,
    need: 2,
    madeBy: operator?.id === voter.operator && !voter.roles.includes('admin') ? operator.id : null,
    roles: ['admin'],
    reason: `${voter.work_name}: ${voter.name}`,
    expiresAt: new Date(now.getTime() + WAITS_MS),
  });
  await audit.append(transaction, {
    operator,
    what: 'voting_key.asked',
    on: { kind: 'operator', id: String(voter.operator) },
    after: { approval, key: voter.id },
  });
  return approval;
}

/** Stores an operator's new key and asks for its registration. Null if the key is stored already. */
export async function addVoter(
  module: Pick<OperatorsModule, 'approvals' | 'audit'>,
  transaction: Queries,
  operator: OperatorSession,
  key: Pick<VoterRow, 'kind' | 'public_key' | 'party' | 'passkey' | 'name'>,
  now: Date,
): Promise<string | null> {
  const id = voterIdOf(key.public_key);
  if (!(await insertVoter(transaction, { ...key, id, operator: operator.id }))) return null;
  const row = await readVoterRow(transaction, id);
  return row && askToRegisterVoter(module, transaction, row, operator, now);
}

/** Asks for new registrations after a change of roles: the operator's keys count for the new roles only after that. */
export async function askToRegisterVotersAgain(
  module: Pick<OperatorsModule, 'approvals' | 'audit'>,
  transaction: Queries,
  operator: bigint,
  now: Date,
): Promise<void> {
  for (const voter of await readVotersOf(transaction, operator))
    if (voter.kind !== 'demo' && voter.waiting === null)
      await askToRegisterVoter(module, transaction, voter, null, now);
}

/** The signed votes themselves are the registration, so nothing else is written. */
export const VOTER_REGISTRATION_KIND: ApprovalKind = {
  async apply(transaction, { subject, content }) {
    const row = await readVoterRow(transaction, subject);
    return row?.ended_at === null && row.removed_at === null && content === writeVoter(voterRegistrationOf(row));
  },
  customerOf: () => null,
};
