import { lateralLookUp, type Scan } from './scan.ts';

/** Rewards for invitations: one level, once per invited person, within each day's limit. */
export const INVITE_SCAN: Scan = {
  name: 'invitations',
  tables: ['invites.judgement'],
  starts: `SELECT ARRAY['0'] AS cursor`,
  next: `SELECT ARRAY[max(invited)::text] AS cursor, count(*) AS rows
         FROM (SELECT invited FROM invites.judgement WHERE invited > ($1::text[])[1]::bigint ORDER BY invited LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    j: 'SELECT * FROM invites.judgement WHERE invited > ($1::text[])[1]::bigint AND invited <= ($2::text[])[1]::bigint',
  },
  invariants: [
    {
      id: 'IN1',
      says: 'every invitation that was rewarded is by the one who invited, and its points were granted once, in the amount that was judged',
      text: `SELECT j.invited::text AS subject FROM j
             ${lateralLookUp('customers.customer', 'c', 'c.id = j.invited', 'id, invited_by')}
             ${lateralLookUp('rewards.grant_of_points', 'g', `g.customer_id = j.inviter AND g.reason = 'invite' AND g.ref = j.invited::text`)}
             WHERE (c.invited_by = j.inviter AND CASE WHEN j.granted_at IS NULL THEN g.id IS NULL OR g.points = j.points ELSE g.points = j.points END) IS NOT TRUE`,
      isHalting: false,
    },
  ],
};

/** Each grant of points for an invitation must belong to a judgement. This scan starts from the grants. */
export const INVITE_GRANT_SCAN: Scan = {
  name: 'grants for invitations',
  tables: ['rewards.grant_of_points'],
  starts: `SELECT ARRAY['00000000-0000-0000-0000-000000000000'] AS cursor`,
  next: `SELECT ARRAY[max(id::text)] AS cursor, count(*) AS rows
         FROM (SELECT id FROM rewards.grant_of_points WHERE id > ($1::text[])[1]::uuid ORDER BY id LIMIT $2::bigint) ahead HAVING count(*) > 0`,
  given: {
    g: `SELECT * FROM rewards.grant_of_points WHERE id > ($1::text[])[1]::uuid AND id <= ($2::text[])[1]::uuid AND reason = 'invite'`,
  },
  invariants: [
    {
      id: 'IN2',
      says: 'no points are granted for an invitation that was not judged as rewarded',
      text: `SELECT g.id::text AS subject FROM g
             ${lateralLookUp('invites.judgement', 'j', 'j.invited::text = g.ref AND j.inviter = g.customer_id')}
             WHERE (j.finding = 'rewarded') IS NOT TRUE`,
      isHalting: false,
    },
  ],
};
