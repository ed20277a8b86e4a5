import { createHash, randomBytes } from 'node:crypto';
import { exportEntries } from '@sathorn/api';
import { accept, refuse } from '@sathorn/settlement';
import { statement } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { type AuditExportRow, countExportsInHour, listEntriesBetween, readAuditHead } from './entry-store.ts';
import type { OperatorsModule } from './operators.ts';

const DAYS_MAX_MS = 31 * 24 * 60 * 60_000;
export const EXPORTED_ENTRIES_MAX = 10_000;
const ADDRESS_MS = 60_000;
/** An export takes the database seconds. */
const EXPORTS_PER_HOUR = 20;
class Spent extends Error {}

export const ticketHashOf = (ticket: string): Buffer => createHash('sha256').update(ticket).digest();

const insert = statement(
  'operators.insert_export',
  `INSERT INTO operators.export (ticket_hash, operator, who, what, subject, since, until, upto, made_at, expires_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
);

export function exportEntriesHandler({ database, audit }: OperatorsModule): Handler {
  return handle(exportEntries, async ({ operator, request, now }) => {
    const { who = null, what = null, on: subject = null, reason } = request;
    const [since, until] = [new Date(request.since), new Date(request.until)];
    if (until <= since || until.getTime() - since.getTime() > DAYS_MAX_MS)
      return refuse('range_too_wide', { field: 'until' });
    const { n: upto } = await readAuditHead(database);
    const wanted: AuditExportRow = { who, what, subject, since, until, upto };
    const count = (await listEntriesBetween(database, wanted, EXPORTED_ENTRIES_MAX + 1)).length;
    if (count > EXPORTED_ENTRIES_MAX) return refuse('range_too_wide', { field: 'until' });
    const ticket = randomBytes(32).toString('base64url');
    const expiresAt = new Date(now.getTime() + ADDRESS_MS);
    const isMade = database.transaction(async (transaction) => {
      const values = [ticketHashOf(ticket), operator.id, who, what, subject, since, until, upto, now, expiresAt];
      await transaction.query(insert, values);
      await audit.append(transaction, {
        operator,
        what: 'audit.exported',
        on: { kind: 'audit', id: String(upto) },
        after: { who, what, on: subject, since: since.toISOString(), until: until.toISOString(), count: String(count) },
        note: reason,
      });
      // The count is taken under the log's lock, so each of many simultaneous exports sees those before it.
      const { done } = await countExportsInHour(transaction, operator.id, 'audit.exported');
      if (done > EXPORTS_PER_HOUR) throw new Spent();
      return true;
    });
    const isWithin = await isMade.catch((error: unknown) => {
      if (error instanceof Spent) return false;
      throw error;
    });
    if (!isWithin) return refuse('hour_budget_spent', { params: { max: String(EXPORTS_PER_HOUR) } });
    return accept({ url: `/api/admin/audit/file?ticket=${ticket}`, expires_at: expiresAt.toISOString(), count });
  });
}
