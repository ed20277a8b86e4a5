import {
  hashOfBody,
  NO_LINK_HASH,
  PROMISED_TREES_MAX,
  type PromiseLink,
  type PromiseProof,
  promisePath,
  promisesRoot,
  readPromiseLink,
  readTick,
  type SignedText,
  writePromiseLink,
} from '@sathorn/proof';
import { arrayLiteral, type Queries, statement } from '../database/index.ts';

const NEWEST = statement(
  'proofs.read_newest_promises',
  `SELECT body, encode(hash, 'hex') AS hash FROM proofs.promise_link ORDER BY sequence DESC LIMIT 1`,
);
const UNPROMISED = statement('proofs.unpromised_trees', 'SELECT id, head FROM proofs.unpromised_trees($1::integer)');
const APPEND = statement('proofs.append_promises', 'SELECT proofs.append_promises($1::text, $2::uuid[])');

/** A link of the chain of promises that ticks name. */
export interface NamedLink {
  readonly hash: string;
  /** In ms; ticks of this second name it first. */
  readonly at: number;
}

/** A link that is not stored yet, with the trees in it. */
interface NewLink extends NamedLink {
  readonly body: string;
  readonly trees: readonly string[];
}

export interface Promises {
  /** The newest stored link; null before the first. */
  readonly newest: NamedLink | null;
  /** The link over trees that are in none yet; null without such trees. */
  readonly made: NewLink | null;
}

/** Reads the newest link, and makes the one of the second `at` if terms were signed since. */
export async function readPromises(queries: Queries, at: number): Promise<Promises> {
  const [[row], trees] = await Promise.all([
    queries.query<{ body: string; hash: string }>(NEWEST),
    queries.query<{ id: string; head: string }>(UNPROMISED, [PROMISED_TREES_MAX]),
  ]);
  const last = row === undefined ? undefined : readPromiseLink(row.body);
  if (row !== undefined && last === undefined) throw new Error('the newest link of promises has no readable text');
  const newest = row === undefined || last === undefined ? null : { hash: row.hash, at: last.at };
  // A second that was published before gets no second link.
  if (trees.length === 0 || at <= (newest?.at ?? 0)) return { newest, made: null };
  const link: PromiseLink = {
    sequence: (last?.sequence ?? 0n) + 1n,
    at,
    previous: newest?.hash ?? NO_LINK_HASH,
    root: promisesRoot(trees.map(({ head }) => head)),
    size: trees.length,
  };
  const body = writePromiseLink(link);
  return { newest, made: { body, hash: hashOfBody(body), at, trees: trees.map(({ id }) => id) } };
}

export async function appendPromises(queries: Queries, { body, trees }: NewLink): Promise<void> {
  await queries.query(APPEND, [body, arrayLiteral(trees)]);
}

const PLACE = statement(
  'proofs.read_promised_tree',
  `SELECT p.link, p.index, array_agg(beside.head ORDER BY beside.index) AS heads FROM proofs.promised_tree p
   JOIN proofs.promised_tree beside ON beside.link = p.link WHERE p.tree = $1::uuid GROUP BY p.link, p.index`,
);
const LINKS = statement(
  'proofs.read_promise_links',
  `SELECT sequence, body, encode(hash, 'hex') AS hash FROM proofs.promise_link
   WHERE sequence >= $1 AND sequence <= (SELECT max(sequence) FROM proofs.promise_link WHERE hash = ANY ($2::bytea[]))
   ORDER BY sequence`,
);
/** A tick names terms at most so many seconds after their acceptance. A late tick that names them may be much older. */
const NAMED_WITHIN_MS = 4_000;
const NAMED_BEFORE_MS = [2_000, 62_000];

/** The proof of a tree's place, with the signed tick that names it. */
export interface NamedPromise extends PromiseProof {
  readonly tick: SignedText;
}

/** Reads the proof for a tree of terms that were accepted at this moment; null while no tick names it. */
export async function readNamedPromise(
  queries: Queries,
  tree: string,
  accepted: Date,
  ticksBetween: (from: Date, to: Date) => Promise<readonly SignedText[]>,
): Promise<NamedPromise | null> {
  const [place] = await queries.query<{ link: bigint; index: number; heads: string[] }>(PLACE, [tree]);
  if (place === undefined) return null;
  const until = new Date(accepted.getTime() + NAMED_WITHIN_MS);
  for (const before of NAMED_BEFORE_MS) {
    const ticks = await ticksBetween(new Date(accepted.getTime() - before), until);
    const naming = ticks.flatMap((text) => {
      const named = readTick(text.body)?.promises;
      return named === undefined || text.signature === '' ? [] : { text, named };
    });
    const hashes = naming.map(({ named }) => Buffer.from(named, 'hex'));
    const links = await queries.query<{ sequence: bigint; body: string; hash: string }>(LINKS, [place.link, hashes]);
    for (const { text, named } of naming) {
      const last = links.findIndex(({ hash }) => hash === named);
      if (last < 0) continue;
      return {
        index: String(place.index),
        path: promisePath(place.heads, place.index),
        links: links.slice(0, last + 1).map(({ body }) => body),
        tick: text,
      };
    }
  }
  return null;
}
