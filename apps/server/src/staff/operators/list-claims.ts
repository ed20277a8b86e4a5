import { listClaims } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { listClaimRows, viewClaim } from './claims.ts';
import type { OperatorsModule } from './operators.ts';

export function listClaimsHandler({ database }: OperatorsModule): Handler {
  return handle(listClaims, async ({ now }) =>
    accept((await listClaimRows(database, now)).map((row) => ({ kind: row.kind, id: row.subject, ...viewClaim(row) }))),
  );
}
