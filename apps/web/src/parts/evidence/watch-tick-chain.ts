import { type ProofTick, readOption, type Ticker } from '@sathorn/api';
import { callServer } from '@sathorn/app/client';
import { isSignedIn } from '@sathorn/app/session';
import { isCoinCode } from '@sathorn/money';
import type { SeenTick } from '@sathorn/proof';
import { useTickers } from '../market/tickers.ts';
import { useHeldOrderStore } from '../orders/held-order-store.ts';
import { openOrdersOf } from '../orders/held-orders.ts';
import { type EvidenceFinding, loadFindings, reportFindings } from './evidence-findings.ts';
import { openEvidenceStore } from './evidence-store.ts';
import { keepPurchase, readKeptPurchase } from './kept-purchase.ts';
import { readTickPage } from './read-tick-page.ts';
import {
  findContradictions,
  type KeptTick,
  parseSeenChains,
  rememberTicks,
  type SeenChains,
  type SeenCoin,
  tickRequestsOf,
} from './seen-ticks.ts';

const NAME = 'seen-chains';
const WRITE_EVERY_MS = 10_000;
const WRITE_EVERY_WHILE_OPEN_MS = 2_000;
/**
 * The answer may come from a server process that lags behind the one that streamed a tick. So an older head or a
 * missing tick counts only after several tries.
 */
const TRIES = 3;
const TRY_EVERY_MS = 5_000;
const BETWEEN_CALLS_MS = 250;
/** Ticks are also kept shortly after an order's end, because the receipt will contain them. */
const AFTER_END_MS = 3_000;
/** The purchase stores its own answer first, so only other orders are read here. */
const KEEP_OPEN_AFTER_MS = 3_000;

let chains: SeenChains = {};
let loading: Promise<void> | undefined;

/** Loads the memory of earlier visits. Nothing may be added to it before. */
function loadChains(): Promise<void> {
  loading ??= openEvidenceStore()
    .read(NAME)
    .then((kept) => {
      chains = parseSeenChains(kept);
    });
  return loading;
}

const asSeen = ([sequence, hash]: KeptTick): SeenTick => ({ sequence: BigInt(sequence), hash });

/** Returns the ticks of a coin that this device received, for comparison with a receipt. */
export async function readSeenTicks(coin: string): Promise<SeenTick[]> {
  await loadChains();
  const seen = chains[coin];
  return seen === undefined ? [] : [...seen.ticks, seen.head].map(asSeen);
}

/** Returns the whole memory, for the verify page and for the evidence file. */
export async function readSeenChains(): Promise<SeenChains> {
  await loadChains();
  return chains;
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Fork = Extract<EvidenceFinding, { kind: 'fork' }>;

// A device that remembers nothing has nothing to compare, so its first visit does not load the engine.
const loadProof = () => import('@sathorn/proof');

async function askOnce(coin: string, seen: SeenCoin): Promise<Fork | 'behind' | null> {
  if (!isCoinCode(coin)) return null;
  // A failure counts as a missing answer, so the next visit checks again.
  const proof = await loadProof().catch(() => null);
  if (proof === null) return null;
  for (const { from, limit } of tickRequestsOf(seen)) {
    const page = await readTickPage(coin, from, limit);
    // A missing answer is not a contradiction; the next visit checks again.
    if (page === null) return null;
    const { items, head } = page;
    const remembered = [...seen.ticks, seen.head].map(asSeen);
    const shownHead = head && { sequence: BigInt(head.sequence), hash: head.hash };
    const fork = proof.findFork(remembered, { texts: items, head: shownHead, asked: { from: BigInt(from), limit } });
    if (fork?.kind === 'rewritten') return findingOf(coin, remembered, fork.kind, fork.sequence, items);
    if (fork) return 'behind';
    await wait(BETWEEN_CALLS_MS);
  }
  return null;
}

function findingOf(
  coin: string,
  remembered: readonly SeenTick[],
  fork: 'rewritten' | 'rolled_back',
  sequence: bigint,
  shown: readonly ProofTick[],
): Fork {
  return {
    kind: 'fork',
    coin,
    fork,
    sequence: String(sequence),
    seenHash: remembered.find((tick) => tick.sequence === sequence)?.hash ?? '',
    shown: shown.find(({ body }) => body.includes(`"seq":"${sequence}"`)) ?? null,
    foundAt: Date.now(),
  };
}

/** Checks that the public chain still contains the ticks that this device received. Shows and stores contradictions. */
async function checkCoin(coin: string, seen: SeenCoin): Promise<void> {
  let found: Fork | 'behind' | null = null;
  for (let n = 0; n < TRIES; n += 1) {
    if (n > 0) await wait(TRY_EVERY_MS);
    found = await askOnce(coin, seen);
    if (found !== 'behind') break;
  }
  if (found === null) return;
  const fork =
    found === 'behind' ? findingOf(coin, [asSeen(seen.head)], 'rolled_back', BigInt(seen.head[0]), []) : found;
  const { explainFork } = await import('./explain-fork.ts');
  const explained = await explainFork(fork, seen.since);
  // Without an answer it is unknown whether a restoration explains the fork, so the next visit asks again.
  if (explained === null) return;
  await reportFindings([explained]);
  // The finding contains the evidence, so the memory starts again with the current chain.
  const { [coin]: _, ...others } = chains;
  chains = others;
  await openEvidenceStore().write(NAME, chains);
}

let checking: Promise<void> | undefined;

/** Runs once per visit, one coin after the other. */
export function checkChainThisVisit(): Promise<void> {
  checking ??= (async () => {
    await Promise.all([loadFindings(), loadChains()]);
    for (const [coin, seen] of Object.entries(chains)) await checkCoin(coin, seen);
  })();
  return checking;
}

function watchedCoins(): Set<string> {
  const now = Date.now();
  const held = Object.values(useHeldOrderStore.getState().byId);
  return new Set(held.filter(({ end_time }) => Date.parse(end_time) + AFTER_END_MS > now).map(({ name }) => name));
}

/** Stores the terms of open orders that were bought on another device or whose answer was lost, while they are open. */
const asked = new Set<string>();
function keepOpenOrders(): void {
  if (!isSignedIn()) return;
  for (const { id } of openOrdersOf(useHeldOrderStore.getState())) {
    if (asked.has(id)) continue;
    asked.add(id);
    setTimeout(() => {
      keepOpenOrder(id).catch(() => asked.delete(id));
    }, KEEP_OPEN_AFTER_MS);
  }
}

async function keepOpenOrder(id: string): Promise<void> {
  if ((await readKeptPurchase(id)) !== undefined) return;
  const answer = await callServer(readOption, { id });
  if (!answer.ok) throw new Error('not read');
  const { receipt } = answer.data;
  if (receipt === null) return;
  await keepPurchase(id, { terms: receipt.terms, rulesHash: null, keptAt: Date.now(), from: 'open', findings: null });
}

/** Watches the streamed ticks. Returns a function that stops watching. */
export function watchTickChain(): () => void {
  let isLoaded = false;
  let writtenAt = 0;
  void checkChainThisVisit()
    .finally(() => {
      isLoaded = true;
    })
    // The customer's own chain comes after what the page needs. It is checked as soon as its code is there.
    .then(() => import('./own-chain.ts'))
    .catch(() => undefined);
  const take = (tickers: readonly Ticker[]): void => {
    // The memory of earlier visits must be compared before it is overwritten.
    if (!isLoaded) return;
    for (const coin of findContradictions(chains, tickers)) {
      const seen = chains[coin];
      if (seen) void checkCoin(coin, seen);
    }
    const watched = watchedCoins();
    chains = rememberTicks(chains, tickers, watched);
    const every = watched.size > 0 ? WRITE_EVERY_WHILE_OPEN_MS : WRITE_EVERY_MS;
    if (Date.now() - writtenAt < every) return;
    writtenAt = Date.now();
    void openEvidenceStore().write(NAME, chains);
  };
  const stops = [
    useTickers.subscribe((tickers) => take(Object.values(tickers))),
    useHeldOrderStore.subscribe(keepOpenOrders),
  ];
  const flush = (): void => {
    if (isLoaded) void openEvidenceStore().write(NAME, chains);
  };
  document.addEventListener('visibilitychange', flush);
  return () => {
    document.removeEventListener('visibilitychange', flush);
    for (const stop of stops) stop();
  };
}
