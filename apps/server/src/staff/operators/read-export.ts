import { readExport } from '@sathorn/api';
import { type AuditFile, writeAuditHead } from '@sathorn/proof';
import { accept, refuse } from '@sathorn/settlement';
import { statement } from '../../platform/database/index.ts';
import { type Handler, handle } from '../../platform/edge/index.ts';
import type { Signer } from '../../platform/proofs/index.ts';
import { type AuditExportRow, listEntriesBetween, listEntriesSince } from './entry-store.ts';
import { EXPORTED_ENTRIES_MAX, ticketHashOf } from './export-entries.ts';
import type { OperatorsModule } from './operators.ts';

// If two requests use the same address, only one gets the file.
const use = statement(
  'operators.use_export',
  `UPDATE operators.export SET used_at = $3 WHERE ticket_hash = $1 AND operator = $2 AND used_at IS NULL AND expires_at > $3
   RETURNING who, what, subject, since, until, upto`,
);

export function readExportHandler({ database }: OperatorsModule, brand: string, signer: Signer): Handler {
  return handle(readExport, async ({ operator, request: { ticket }, now }) => {
    const [wanted] = await database.query<AuditExportRow>(use, [ticketHashOf(ticket), operator.id, now]);
    if (!wanted) return refuse('export_unknown', { field: 'ticket' });
    const { who, what, subject: on, since, until, upto } = wanted;
    const rows = await listEntriesBetween(database, wanted, EXPORTED_ENTRIES_MAX);
    const entries = rows.map(({ n, text, hash }) => ({ n: String(n), text, hash: hash.toString('hex') }));
    const [newest] = await listEntriesSince(database, upto - 1n, 1);
    const head = {
      brand,
      made_at: now.toISOString(),
      made_by: operator.workName,
      filter: { who, what, on },
      since: since.toISOString(),
      until: until.toISOString(),
      head: { n: String(upto), hash: newest?.hash.toString('hex') ?? '' },
    };
    const file: AuditFile = { signed: signer.sign(writeAuditHead(head, entries)), entries };
    const day = (at: Date): string => at.toISOString().slice(0, 10);
    return accept({ name: `audit-${day(since)}-${day(until)}.json`, file: JSON.stringify(file) });
  });
}
