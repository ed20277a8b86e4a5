import type { EntryView } from '@sathorn/api';
import type { AuditEntryRow } from './entry-store.ts';

/** The fields of an entry's text that have no column. */
interface Written {
  readonly before: unknown;
  readonly after: unknown;
  readonly device: string | null;
  readonly reason: string | null;
  readonly roles: string[];
}

export function viewEntry(row: AuditEntryRow): EntryView {
  const { before, after, device, reason, roles } = JSON.parse(row.text) as Written;
  return {
    n: String(row.n),
    at: row.at.toISOString(),
    who: row.operator === null ? null : { id: String(row.operator), work_name: row.work_name ?? '' },
    roles,
    device,
    what: row.what,
    on: { kind: row.kind, id: row.subject },
    customer: row.customer === null ? null : String(row.customer),
    before,
    after,
    reason,
    note: row.note,
    text: row.text,
    hash: row.hash.toString('hex'),
  };
}
