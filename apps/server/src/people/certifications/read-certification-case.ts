import { readCertificationCase } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { type ReviewModule, viewCertificationCase } from './view-certification-case.ts';

export function readCertificationCaseHandler(room: ReviewModule): Handler {
  return handle(readCertificationCase, async ({ operator, request: { id }, now }) => {
    const seen = await viewCertificationCase(room, operator, id, now);
    if (seen === null) return refuse('certification_unknown', { field: 'id' });
    // Logs each view of the personal data in an entry that the customer can see.
    await room.database.transaction((transaction) =>
      room.audit.append(transaction, {
        operator,
        what: 'certification.read',
        on: { kind: 'certification', id },
        customer: BigInt(seen.customer.id),
      }),
    );
    return accept(seen);
  });
}
