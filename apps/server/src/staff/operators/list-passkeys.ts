import { listPasskeys } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { OperatorsModule } from './operators.ts';
import { listPasskeyRows } from './passkey-store.ts';

export function listPasskeysHandler({ database }: OperatorsModule): Handler {
  return handle(listPasskeys, async ({ operator }) =>
    accept(
      (await listPasskeyRows(database, operator.id)).map(({ id, name, created_at, used_at }) => ({
        id,
        name,
        created_at: created_at.toISOString(),
        used_at: used_at?.toISOString() ?? null,
      })),
    ),
  );
}
