import {
  isKeptFile,
  type KeptDrawInFile,
  type KeptFile,
  type KeptFileFinding,
  type KeptPurchaseInFile,
  type KeptTicks,
  type OptionReceipt,
  type PublishedKey,
  type PurchaseTimes,
  type SignedText,
  type TreeSignedText,
} from '@sathorn/proof';
import type { EvidenceFinding } from './evidence-findings.ts';
import { listKeptAcknowledgements } from './kept-acknowledgements.ts';
import { readKeptDraws } from './kept-draws.ts';
import { type KeptPurchase, readKeptPurchase } from './kept-purchase.ts';
import { listKeptStatements } from './kept-statements.ts';
import { listKeptOrders, readKeptReceipt } from './kept-terms.ts';
import { readPinnedKeys } from './pinned-keys.ts';
import type { SeenChains } from './seen-ticks.ts';

/** What the app holds in memory beside its store. */
interface HeldEvidence {
  /** The address of the platform as this device used it. */
  readonly platform: string;
  readonly nowMs: number;
  readonly seen: SeenChains;
  readonly findings: readonly EvidenceFinding[];
}

/** Builds the file `kept/1` of all that this device has kept. It has no session and no password. */
export async function makeKeptFile({ platform, nowMs, seen, findings }: HeldEvidence): Promise<KeptFile> {
  const orders = await listKeptOrders();
  const purchases = (await Promise.all(orders.map(readKeptPurchase))).flatMap((kept) => (kept ? purchaseOf(kept) : []));
  const receipts = (await Promise.all(orders.map(readKeptReceipt))).filter((receipt) => receipt !== null);
  const { draws, boxes, boxTexts } = readKeptDraws();
  const contradicting = findings.flatMap((finding) =>
    finding.kind === 'statement'
      ? [finding.kept, finding.shown].flatMap((one) => one?.signed ?? [])
      : finding.kind === 'liability'
        ? [finding.kept, finding.proof.signed].flatMap((one) => one ?? [])
        : [],
  );
  const statements = [...(await listKeptStatements()), ...contradicting].flatMap((text) => signedTextOf(text) ?? []);
  const promises = [
    ...(await listKeptAcknowledgements()),
    ...findings.flatMap((finding) => (finding.kind === 'ack' ? (finding.signed ?? []) : [])),
  ].map(treeTextOf);
  const empty: KeptFile = {
    v: 'kept/1',
    platform,
    made: String(nowMs),
    keys: [],
    purchases: [],
    ticks: [],
    boxes: [],
    draws: [],
    receipts: [],
    findings: [],
    contradictions: [],
  };
  // A device's storage may hold anything. One entry of another shape would make the whole file unreadable.
  const only = <Name extends keyof KeptFile & string, Item>(name: Name, items: readonly Item[]): Item[] =>
    items.filter((item) => isKeptFile({ ...empty, [name]: [item] }));
  return {
    ...empty,
    keys: only('keys', (await readPinnedKeys()).map(keyOf)),
    purchases: only('purchases', purchases),
    ticks: only('ticks', ticksOf(seen, findings)),
    boxes: only(
      'boxes',
      Object.entries(boxes).map(([id, hash]) => ({ id, hash, text: signedTextOf(boxTexts[id]) })),
    ),
    draws: only(
      'draws',
      Object.entries(draws).map(
        ([order, { reservation, clientSeed, text }]): KeptDrawInFile => ({
          order,
          reservation,
          client_seed: clientSeed,
          text: signedTextOf(text),
        }),
      ),
    ),
    receipts: only('receipts', receipts as OptionReceipt[]),
    findings: only('findings', findings.map(findingOf)),
    contradictions: only(
      'contradictions',
      findings.flatMap((finding) => (finding.kind === 'contradiction' ? finding.contradiction : [])),
    ),
    ...(promises.length > 0 && { promises: only('promises', promises) }),
    ...(statements.length > 0 && { statements: only('statements', statements) }),
  };
}

const keyOf = ({ use, id, public_key, record }: PublishedKey): PublishedKey => ({
  use,
  id,
  public_key,
  record: record
    ? { body: record.body, signature: record.signature, previous_signature: record.previous_signature }
    : null,
});

/** Drops members that a later version or another call may have added. */
function signedTextOf(text: SignedText | undefined): SignedText | null {
  return text === undefined ? null : { body: text.body, hash: text.hash, signature: text.signature, key: text.key };
}

const treeTextOf = ({ body, hash, index, path, tree }: TreeSignedText): TreeSignedText => ({
  body,
  hash,
  index,
  path,
  tree: signedTextOf(tree) ?? tree,
});

const msText = (ms: number): string => String(Math.round(ms));

const timesOf = ({ sentMs, answeredMs, offsetMs, newestTickMs }: PurchaseTimes): KeptPurchaseInFile['times'] => ({
  sent: msText(sentMs),
  answered: msText(answeredMs),
  // Rounding may give minus nothing.
  offset: offsetMs === null ? null : msText(Math.round(offsetMs) || 0),
  newest_tick: newestTickMs === null ? null : msText(newestTickMs),
});

function purchaseOf({ terms, rulesHash, keptAt, from, times }: KeptPurchase): KeptPurchaseInFile {
  return {
    terms: treeTextOf(terms),
    rules: rulesHash,
    kept: msText(keptAt),
    from,
    times: times ? timesOf(times) : null,
  };
}

type Fork = Extract<EvidenceFinding, { kind: 'fork' }>;

/** The streamed ticks, with those that the memory dropped because a fork was found there. */
function ticksOf(chains: SeenChains, findings: readonly EvidenceFinding[]): KeptTicks[] {
  const forks = findings.filter((finding): finding is Fork => finding.kind === 'fork');
  const coins = [...new Set([...Object.keys(chains), ...forks.map(({ coin }) => coin)])];
  return coins.map((coin) => {
    const ofCoin = forks.filter((fork) => fork.coin === coin);
    const { head, ticks = [], since } = chains[coin] ?? {};
    const hashes = new Map<string, string>([...ticks, ...(head ? [head] : [])]);
    for (const { sequence, seenHash } of ofCoin) if (seenHash !== '') hashes.set(sequence, seenHash);
    const seen = [...hashes].sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1));
    const texts = ofCoin.flatMap(({ shown }) => {
      const text = shown as SignedText | null;
      return text !== null && text.signature !== '' ? (signedTextOf(text) ?? []) : [];
    });
    return { coin: coin as KeptTicks['coin'], since: since === undefined ? null : msText(since), seen, texts };
  });
}

function findingOf(finding: EvidenceFinding): KeptFileFinding {
  const at = msText(finding.foundAt);
  switch (finding.kind) {
    case 'fork':
      return { kind: finding.kind, about: `${finding.coin} ${finding.sequence}`, at, says: [finding.fork] };
    case 'restored':
      return { kind: finding.kind, about: finding.restoredAt, at, says: [finding.endsAt] };
    case 'statement': {
      const { asset, name, n, fault, detail } = finding;
      return {
        kind: finding.kind,
        about: `${asset} ${name} ${n}`,
        at,
        says: [fault, ...(detail === null ? [] : [detail])],
      };
    }
    case 'liability':
      return { kind: finding.kind, about: finding.about || finding.id, at, says: [finding.fault] };
    case 'log':
      return {
        kind: finding.kind,
        about: finding.origin,
        at,
        // Notes prove who signed them, so anybody can still judge them by the log.
        says: [finding.fault, finding.kept, finding.shown].filter((text) => text !== ''),
      };
    case 'ack':
      return { kind: finding.kind, about: finding.id, at, says: [finding.fault, ...finding.differs] };
    case 'ordered':
      return { kind: finding.kind, about: finding.id, at, says: [finding.fault, finding.at] };
    case 'contradiction':
      return { kind: finding.kind, about: finding.id, at, says: finding.contradiction.differs };
    case 'purchase': {
      const { isWithoutTerms, signature, differs, moment } = finding.findings;
      const says = [...(isWithoutTerms ? ['no_terms'] : []), ...differs, signature, moment];
      return { kind: finding.kind, about: finding.order, at, says: says.filter((code) => code !== null) };
    }
    default:
      return { kind: finding.kind, about: finding.id, at, says: [] };
  }
}
