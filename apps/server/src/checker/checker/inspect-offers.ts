import type pg from 'pg';
import type { Findings } from './run-invariants.ts';
import type { ScanProgress } from './scan-progress.ts';

/**
 * A new offer must be checked within this time after its creation. Thorough rounds run every 40 s, and a process may
 * have restarted.
 */
const SEEN_WITHIN_MS = 300_000;

interface OfferRow {
  readonly id: string;
  readonly name: string;
  readonly digest: string;
  readonly made: Date;
}
type Known = Readonly<Record<string, string>>;

const OFFERS = `SELECT id, concat_ws(' ', coin, seconds, id) AS name, md5(terms::text) AS digest, created_at AS made FROM options.terms ORDER BY id`;
/** Only what never changes in a version: later it is announced, applied or stopped. */
const VERSIONS = `SELECT key AS id, key AS name, md5(concat_ws('/', effective_from, fields, approval, at)) AS digest, at AS made
  FROM offer.version CROSS JOIN LATERAL concat_ws('/', kind, subject, version) AS key ORDER BY kind, subject, version`;

function changesOf(rows: readonly OfferRow[], known: Known | undefined, seenAt: string | undefined): string[] {
  if (known === undefined || seenAt === undefined) return [];
  const there = new Set(rows.map(({ id }) => id));
  return [
    ...Object.keys(known).flatMap((id) => (there.has(id) ? [] : `${id} is gone`)),
    ...rows.flatMap(({ id, name, digest, made }) => {
      if (known[id] === digest) return [];
      if (known[id] !== undefined) return `${name} was changed: ${digest.slice(0, 16)}`;
      return made.getTime() < Date.parse(seenAt) - SEEN_WITHIN_MS ? `${name} was not there before` : [];
    }),
  ];
}
const knownOf = (rows: readonly OfferRow[]): Known => Object.fromEntries(rows.map(({ id, digest }) => [id, digest]));

/**
 * There are few offers, and one in force binds both sides. So this checks that a known offer neither changes nor
 * disappears, and that a new one is not backdated. The same of the versions of all terms, from whose writing the
 * notice of a worse offer counts.
 */
export async function inspectOffers(
  client: pg.ClientBase,
  before: ScanProgress,
  findings: Findings,
): Promise<ScanProgress> {
  const { rows } = await client.query<OfferRow>(OFFERS);
  const { rows: versions } = await client.query<OfferRow>(VERSIONS);
  const seen = before.offers;
  const subjects = [...changesOf(rows, seen?.rows, seen?.at), ...changesOf(versions, seen?.versions, seen?.at)];
  if (subjects.length > 0)
    findings.add({
      invariant: 'O2',
      says: 'no offer that was seen is changed or gone, and none is put behind',
      subjects,
    });
  // A violation is reported until it is acknowledged, so the remembered offers are updated only when nothing is wrong.
  const isWrong = subjects.length > 0 && findings.isHalting;
  if (isWrong) return before;
  const offers = { at: new Date().toISOString(), rows: knownOf(rows), versions: knownOf(versions) };
  return { ...before, offers };
}
