import type pg from 'pg';
import type { Findings } from './run-invariants.ts';
import type { ScanProgress } from './scan-progress.ts';

/**
 * A new offer must be checked within this time after its creation. Thorough rounds run every 40 s, and a process may
 * have restarted.
 */
const SEEN_WITHIN_MS = 300_000;

/**
 * There are few offers, and one in force binds both sides. So this checks that a known offer neither changes nor
 * disappears, and that a new one is not backdated.
 */
export async function inspectOffers(
  client: pg.ClientBase,
  before: ScanProgress,
  findings: Findings,
): Promise<ScanProgress> {
  const { rows } = await client.query<{ id: string; name: string; digest: string; made: Date }>(
    `SELECT id, concat_ws(' ', coin, seconds, id) AS name, md5(terms::text) AS digest, created_at AS made FROM options.terms ORDER BY id`,
  );
  const seen = before.offers;
  const offers = Object.fromEntries(rows.map(({ id, digest }) => [id, digest]));
  const subjects = [
    ...Object.keys(seen?.rows ?? {}).flatMap((id) => (offers[id] === undefined ? `${id} is gone` : [])),
    ...rows.flatMap(({ id, name, digest, made }) => {
      const known = seen?.rows[id];
      if (seen === undefined || known === digest) return [];
      if (known !== undefined) return `${name} was changed: ${digest.slice(0, 16)}`;
      return made.getTime() < Date.parse(seen.at) - SEEN_WITHIN_MS ? `${name} was not there before` : [];
    }),
  ];
  if (subjects.length > 0)
    findings.add({
      invariant: 'O2',
      says: 'no offer that was seen is changed or gone, and none is put behind',
      subjects,
    });
  // A violation is reported until it is acknowledged, so the remembered offers are updated only when nothing is wrong.
  const isWrong = subjects.length > 0 && findings.isHalting;
  return isWrong ? before : { ...before, offers: { at: new Date().toISOString(), rows: offers } };
}
