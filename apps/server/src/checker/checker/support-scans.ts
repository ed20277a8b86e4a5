import { lateralLookUp, type Scan } from './scan.ts';

/** Conversations: no message is missing, and none was written in an operator's name by somebody else. */
export const CONVERSATION_SCAN: Scan = {
  name: 'conversations',
  tables: ['support.message'],
  starts: `SELECT ARRAY['', '0'] AS cursor`,
  next: `SELECT ARRAY[(array_agg(thread ORDER BY thread DESC, number DESC))[1], (array_agg(number ORDER BY thread DESC, number DESC))[1]::text] AS cursor, count(*) AS rows
         FROM (SELECT thread, number FROM support.message WHERE (thread, number) > (($1::text[])[1], ($1::text[])[2]::integer)
               ORDER BY thread, number LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    m: `SELECT thread, number, author, operator FROM support.message
        WHERE (thread, number) > (($1::text[])[1], ($1::text[])[2]::integer) AND (thread, number) <= (($2::text[])[1], ($2::text[])[2]::integer)`,
  },
  invariants: [
    {
      id: 'SU1',
      says: 'the messages of every conversation are numbered without a gap, and none is newer than its conversation says',
      text: `SELECT m.thread || ' ' || m.number AS subject FROM m
             ${lateralLookUp('support.message', 'before', 'before.thread = m.thread AND before.number = m.number - 1', 'number')}
             ${lateralLookUp('support.thread', 't', 't.id = m.thread', 'id, last')}
             WHERE (m.number <= t.last AND (m.number = 1 OR before.number IS NOT NULL)) IS NOT TRUE`,
      isHalting: false,
    },
    {
      id: 'SU2',
      says: 'every answer by staff is in the operators’ log, by the same operator',
      text: `SELECT m.thread || ' ' || m.number AS subject FROM m
             WHERE m.author = 'staff' AND NOT EXISTS (SELECT FROM operators.entry e WHERE e.operator = m.operator AND e.what = 'support.answered'
               AND e.kind = 'support' AND e.subject = m.thread AND e.text::jsonb -> 'after' ->> 'number' = m.number::text)`,
      isHalting: false,
    },
  ],
};

/** Ready answers. The first version of each may have come with the software. */
export const READY_ANSWER_SCAN: Scan = {
  name: 'ready answers',
  tables: ['support.ready_answer'],
  starts: `SELECT ARRAY['', '0'] AS cursor`,
  next: `SELECT ARRAY[(array_agg(code ORDER BY code DESC, version DESC))[1], (array_agg(version ORDER BY code DESC, version DESC))[1]::text] AS cursor, count(*) AS rows
         FROM (SELECT code, version FROM support.ready_answer WHERE (code, version) > (($1::text[])[1], ($1::text[])[2]::integer)
               ORDER BY code, version LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    r: `SELECT * FROM support.ready_answer
        WHERE (code, version) > (($1::text[])[1], ($1::text[])[2]::integer) AND (code, version) <= (($2::text[])[1], ($2::text[])[2]::integer)`,
  },
  invariants: [
    {
      id: 'SU3',
      says: 'every ready answer came with the software, or two people approved exactly its texts',
      text: `SELECT r.code || ' ' || r.version AS subject FROM r
             WHERE CASE WHEN r.approval IS NULL THEN r.version > 1 ELSE
               NOT support.is_approved((r.code, r.version, r.texts, r.approval, r.at)::support.ready_answer) END`,
      isHalting: false,
    },
  ],
};
