import { listVotingKeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { readVotersOf } from '../votes/index.ts';
import type { OperatorsModule } from './operators.ts';
import { isTrustedVoter } from './voting.ts';

export function listVotingKeysHandler({ database, voting }: OperatorsModule): Handler {
  return handle(listVotingKeys, async ({ operator }) => {
    const keys = await readVotersOf(database, operator.id);
    return accept({
      allows_devices: voting.allowsDevices,
      keys: keys.map((key) => ({
        id: key.id,
        kind: key.kind,
        name: key.name,
        made_at: key.made_at.toISOString(),
        state: isTrustedVoter(key)
          ? ('counts' as const)
          : key.waiting === null
            ? ('lapsed' as const)
            : ('waiting' as const),
      })),
    });
  });
}
