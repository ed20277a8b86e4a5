import { listVotingKeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { votersOf } from '../votes/index.ts';
import type { OperatorsModule } from './operators.ts';
import { isTrusted } from './voting.ts';

export function listVotingKeysHandler({ database, voting }: OperatorsModule): Handler {
  return handle(listVotingKeys, async ({ operator }) => {
    const keys = await votersOf(database, operator.id);
    return accept({
      allows_devices: voting.allowsDevices,
      keys: keys.map((key) => ({
        id: key.id,
        kind: key.kind,
        name: key.name,
        made_at: key.made_at.toISOString(),
        state: isTrusted(key) ? ('counts' as const) : key.waiting === null ? ('lapsed' as const) : ('waiting' as const),
      })),
    });
  });
}
