import { askForVotingKey } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readVoterRow } from '../votes/index.ts';
import type { OperatorsModule } from './operators.ts';
import { askToRegisterVoter } from './register-voter.ts';
import { isTrustedVoter } from './voting.ts';

/** Asks the administrators again, after a registration was rejected or has expired. */
export function askForVotingKeyHandler(module: OperatorsModule): Handler {
  const { database } = module;
  return handle(askForVotingKey, async ({ operator, request, now }) =>
    database.transaction(async (transaction) => {
      const row = await readVoterRow(transaction, request.id);
      if (row?.operator !== operator.id || row.ended_at !== null) return refuse('device_unknown', { field: 'id' });
      if (row.waiting !== null) return accept({ approval: row.waiting });
      if (isTrustedVoter(row)) return refuse('nothing_changes', { field: 'id' });
      return accept({ approval: await askToRegisterVoter(module, transaction, row, operator, now) });
    }),
  );
}
