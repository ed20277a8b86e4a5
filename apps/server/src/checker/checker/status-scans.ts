import type { Invariant } from './invariant.ts';
import { lateralLookUp, type Scan } from './scan.ts';

const logged = (kind: string, subject: string): string =>
  `SELECT FROM operators.entry e WHERE e.kind = '${kind}' AND e.subject = ${subject}`;
const AFTER = `e.text::jsonb -> 'after'`;

/** Incidents: nobody reworded or hid one, and one person alone closed no outage. */
export const INCIDENT_SCAN: Scan = {
  name: 'incidents',
  tables: ['status.incident'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[max(id::text)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM status.incident WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    i: `SELECT i.*, told.* FROM status.incident i
        LEFT JOIN LATERAL (SELECT count(*) AS texts, max(u.n) AS last_n, max(u.at) AS last_at, (array_agg(u.made_by ORDER BY u.n))[1] AS first_by,
            (array_agg(u.made_by ORDER BY u.n DESC))[1] AS last_by, (array_agg(u.texts ORDER BY u.n DESC))[1] AS last_texts
          FROM status.incident_update u WHERE u.incident = i.id) told ON true
        WHERE i.id > ($1::text[])[1]::uuid AND i.id <= ($2::text[])[1]::uuid`,
  },
  invariants: [
    {
      id: 'ST1',
      says: 'the texts of every incident are numbered without a gap, the first by its opener and none after its end',
      text: `SELECT i.id::text AS subject FROM i
             WHERE (i.texts > 0 AND i.texts = i.last_n AND i.first_by = i.opened_by AND i.last_at <= coalesce(i.closed_at, 'infinity')) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'ST2',
      says: 'every outage that was closed was closed by two people, who agreed to exactly its last text',
      text: `SELECT i.id::text AS subject FROM i ${lateralLookUp('operators.approval', 'a', 'a.id = i.approval')}
             WHERE i.closed_at IS NOT NULL AND (CASE i.severity WHEN 'outage' THEN a.kind = 'incident_close' AND a.subject = i.id::text
               AND a.status = 'approved' AND a.made_by <> i.last_by AND a.content::jsonb -> 'texts' = i.last_texts
               AND a.content::jsonb ->> 'severity' = i.severity ELSE i.approval IS NULL END) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'ST3',
      says: 'every incident, each of its texts and its end are in the operators’ log, by the same operator and with the same words',
      text: `SELECT i.id::text AS subject FROM i
             WHERE NOT EXISTS (${logged('incident', 'i.id::text')} AND e.what = 'incident.opened' AND e.operator = i.opened_by
                 AND ${AFTER} ->> 'severity' = i.severity AND ${AFTER} -> 'parts' = to_jsonb(i.parts))
               OR i.closed_at IS NOT NULL AND NOT EXISTS (${logged('incident', 'i.id::text')}
                 AND e.what = CASE i.severity WHEN 'outage' THEN 'incident.close_asked' ELSE 'incident.closed' END)
               OR EXISTS (SELECT FROM status.incident_update u WHERE u.incident = i.id AND NOT (i.approval IS NOT NULL AND u.n = i.last_n)
                 AND NOT EXISTS (${logged('incident', 'i.id::text')} AND e.operator = u.made_by AND ${AFTER} -> 'texts' = u.texts
                   AND e.what IN ('incident.opened', 'incident.updated', 'incident.closed')))`,
      isHalting: false,
    },
  ],
};

/** Pauses are published with their durations, so each must begin and end as operators decided. */
export const PAUSE_SCAN: Scan = {
  name: 'pauses',
  tables: ['pauses.pause'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[max(id::text)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM pauses.pause WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    p: 'SELECT * FROM pauses.pause WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid',
  },
  invariants: [
    {
      id: 'ST4',
      says: 'every pause was started by the operator and at the time that the log names, and ended when a second person agreed',
      text: `SELECT p.id::text AS subject FROM p ${lateralLookUp('operators.approval', 'a', 'a.id = p.approval')}
             WHERE (EXISTS (${logged('pause', 'p.id::text')} AND e.what = 'pause.started' AND e.operator = p.started_by
                 AND ${AFTER} ->> 'kind' = p.kind AND ${AFTER} ->> 'subject' = p.subject AND abs(extract(epoch FROM e.at - p.started_at)) < 60)
               AND CASE WHEN p.ended_at IS NULL THEN p.approval IS NULL ELSE a.kind = 'pause_end' AND a.subject = p.id::text AND a.status = 'approved'
                 AND a.content::jsonb ->> 'kind' = p.kind AND a.content::jsonb ->> 'subject' = p.subject
                 AND abs(extract(epoch FROM a.decided_at - p.ended_at)) < 60 END) IS NOT TRUE`,
      isHalting: false,
    },
  ],
};

const subjectOf = (...whats: readonly string[]): string =>
  `CASE WHEN e.what IN (${whats.map((what) => `'${what}'`).join(', ')}) THEN e.subject::uuid END`;

/** Checks that start from the operators' log, in the scan over its entries. They find a row that somebody deleted. */
export const STATUS_ENTRY_INVARIANTS: readonly Invariant[] = [
  {
    id: 'ST5',
    says: 'every incident, text and pause that the operators’ log names is still shown',
    text: `SELECT e.n::text AS subject FROM entries e
           ${lateralLookUp('status.incident', 'i', `i.id = ${subjectOf('incident.opened', 'incident.updated', 'incident.closed')}`)}
           ${lateralLookUp('pauses.pause', 'p', `p.id = ${subjectOf('pause.started')}`, 'id')}
           ${lateralLookUp('status.incident_update', 'u', `u.incident = i.id AND u.made_by = e.operator AND u.texts = ${AFTER} -> 'texts'`, 'n')}
           WHERE e.kind IN ('incident', 'pause') AND (CASE e.what
             WHEN 'pause.started' THEN p.id IS NOT NULL
             WHEN 'incident.opened' THEN i.id IS NOT NULL
             WHEN 'incident.closed' THEN i.closed_at IS NOT NULL
             WHEN 'incident.updated' THEN u.n IS NOT NULL ELSE true END) IS NOT TRUE`,
    isHalting: false,
  },
];
