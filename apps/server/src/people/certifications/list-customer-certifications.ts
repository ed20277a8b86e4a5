import { listCustomerCertifications } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { historyOf } from './certification-store.ts';
import { type ReviewModule, viewItem } from './view-case.ts';

export function listCustomerCertificationsHandler(room: ReviewModule): Handler {
  return handle(listCustomerCertifications, async ({ request: { id } }) => {
    const rows = await historyOf(room.database, BigInt(id));
    return accept(await Promise.all(rows.map((row) => viewItem(room, row))));
  });
}
