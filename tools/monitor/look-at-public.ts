/** Compares what the log says with what everybody can ask of the platform. Each look is one subject. */
import {
  listBoxes,
  listEarningProducts,
  listLiabilities,
  listOfferChanges,
  listTrades,
  readBoxFile,
  readContractTerms,
  readFigures,
  readProofKeys,
  readQuote,
  readStatus,
  type TradeView,
} from '@sathorn/api';
import { isCoinCode } from '@sathorn/money';
import { type Canonical, readLiabilities, type SignedText, trustKeys } from '@sathorn/proof';
import type { LoggedHead } from '@sathorn/transparency';
import { type AskServer, readTickSpan } from '../verify/public-chain.ts';
import { type AskCall, askCalls } from './ask-call.ts';
import { type Finding, findingOf } from './finding.ts';
import { judgeBank } from './judge-bank.ts';
import { judgeTrades } from './judge-books.ts';
import { judgeBoxes, judgeBoxFile } from './judge-boxes.ts';
import { judgeKeys } from './judge-keys.ts';
import { judgeLiabilities, judgeOwed } from './judge-liabilities.ts';
import { judgeShownOffers, judgeVersions, readVersions, type ShownChange, type ShownTerms } from './judge-offers.ts';
import { judgeTicks, spanOfTicks } from './judge-ticks.ts';
import type { MonitorMemory } from './monitor-folder.ts';

export interface PublicLook {
  readonly ask: AskServer;
  readonly memory: MonitorMemory;
  readonly now: () => number;
  readonly find: (findings: readonly Finding[]) => void;
  /** Says what is no finding and worth knowing. */
  readonly note: (line: string) => void;
  /** Says what could not be read, and goes on with the next; false then. */
  readonly tryTo: (what: string, work: () => Promise<void>) => Promise<boolean>;
}

/** Returns the coins of the platform. */
export async function lookAtPublic(look: PublicLook): Promise<readonly string[]> {
  const { ask, memory, find, tryTo } = look;
  const call = askCalls(ask);
  const heads = new Map<string, LoggedHead | null>();
  await tryTo('the status', async () => {
    const { coins } = await call(readStatus, {});
    for (const { code, head } of coins) heads.set(code, head && [head.sequence, head.hash]);
  });
  const coins = [...heads.keys()];
  // A chain that the status no longer shows is compared as well.
  for (const chain of Object.keys(memory.log.heads)) {
    const [, coin = ''] = chain.split(' ');
    if (isCoinCode(coin) && !heads.has(coin)) heads.set(coin, null);
  }
  find(judgeBank(memory.log));
  // Without the keys of now a signature shows nothing, right or wrong.
  if (await tryTo('the keys', () => lookAtKeys(look, call))) {
    for (const [coin, head] of heads) await tryTo(`ticks of ${coin}`, () => lookAtTicks(look, coin, head));
    await tryTo('the sums of liabilities', () => lookAtLiabilities(look, call));
    await tryTo('the boxes', () => lookAtBoxes(look, call));
  }
  await lookAtOffers(look, call, coins);
  for (const coin of coins) await tryTo(`trades of ${coin}`, () => lookAtTrades(look, call, coin));
  return coins;
}

async function lookAtKeys({ memory, find }: PublicLook, call: AskCall): Promise<void> {
  const { keys: published } = await call(readProofKeys, {});
  find(judgeKeys({ log: memory.log, published }));
  const { trusted, refused } = await trustKeys(published, memory.seen.keys);
  find(
    refused.map(({ key: { use, id }, fault }) =>
      findingOf('key', `${use}/${id}`, `The key ${use}/${id} is not announced by the one before it: ${fault}.`),
    ),
  );
  memory.seen.keys = trusted;
}

async function lookAtTicks(
  { ask, memory: { log, seen }, find, note }: PublicLook,
  coin: string,
  shown: LoggedHead | null,
): Promise<void> {
  const chain = `ticks ${coin}`;
  const unseen = log.unseen[chain] ?? [];
  const span = spanOfTicks(seen.ticks[coin], unseen, shown);
  if (span === null) return;
  if (span.skipped > 0n) note(`${span.skipped} ticks of ${coin} before number ${span.from} were not read.`);
  const texts = await readTickSpan(ask, coin, span);
  const known = { seen: seen.ticks[coin], unseen, shown, newestMs: log.newestMs };
  const { findings, last } = await judgeTicks({ coin, texts, from: span.from, ...known, keys: seen.keys });
  find(findings);
  // What contradicts the memory does not replace it.
  if (findings.length > 0 || last === undefined) return;
  seen.ticks[coin] = last;
  log.unseen[chain] = unseen.filter(({ head }) => BigInt(head[0]) > BigInt(last[0]));
}

async function lookAtLiabilities({ memory: { log, seen }, find }: PublicLook, call: AskCall): Promise<void> {
  const unseen = log.unseen.liabilities ?? [];
  const needed = [seen.liabilities, ...unseen.map(({ head }) => head)].flatMap((head) => (head ? BigInt(head[0]) : []));
  const oldest = needed.sort((a, b) => (a < b ? -1 : 1))[0] ?? null;
  // Read first, because the figures may not name sums that are newer than the list.
  const figures = await call(readFigures);
  const newestFirst: SignedText[] = [];
  let page: string | null | undefined;
  do {
    const { items, next } = await call(listLiabilities, page ? { page } : {});
    newestFirst.push(...items);
    const last = items.at(-1);
    const reached = last && readLiabilities(last.body)?.sequence;
    // A cursor that does not lead down would lead nowhere.
    const isDone = oldest === null || reached === undefined || reached <= oldest || next === page;
    page = isDone ? null : next;
  } while (page !== null);
  const isNeeded = ({ body }: SignedText): boolean =>
    oldest === null || (readLiabilities(body)?.sequence ?? oldest) >= oldest;
  const texts = newestFirst.filter(isNeeded).reverse();
  const known = { seen: seen.liabilities, unseen, named: log.heads.liabilities, newestMs: log.newestMs };
  const { findings, last } = await judgeLiabilities({ texts, ...known, keys: seen.keys });
  find(findings);
  find(judgeOwed(figures, newestFirst));
  if (findings.length > 0 || last === undefined) return;
  seen.liabilities = last;
  log.unseen.liabilities = unseen.filter(({ head }) => BigInt(head[0]) > BigInt(last[0]));
}

async function lookAtOffers(
  { memory, now, find, tryTo }: PublicLook,
  call: AskCall,
  coins: readonly string[],
): Promise<void> {
  const { versions, findings } = readVersions(memory.log);
  find([...findings, ...judgeVersions(versions)]);
  const shown: ShownTerms[] = [];
  const show = (of: string, terms: Canonical): void => {
    shown.push({ of, terms });
  };
  for (const code of coins)
    await tryTo(`terms of ${code}`, async () => {
      const { durations } = await call(readQuote, { code });
      // Options that are not sold, for whatever reason, show no terms.
      if (durations.length > 0)
        show(
          `option/${code}`,
          durations.map(({ sale: _sale, ...each }) => ({ ...each, seconds: String(each.seconds) })),
        );
      const sale = durations[0]?.sale;
      if (sale !== undefined) show(`option_sale/${code}`, { ...sale, closed_seconds: String(sale.closed_seconds) });
      const { amount_min, amount_max, fees } = await call(readContractTerms, { code });
      show(`coin/${code}`, { amount_min, amount_max });
      show(
        'fee/contracts',
        fees.map(({ maker, taker }) => ({ maker, taker })),
      );
    });
  await tryTo('the earning products', async () => {
    for (const type of ['liquidity', 'regular'] as const) {
      const product = await call(listEarningProducts, { type });
      if (product.type === 'liquidity') {
        const { offered, min, stages } = product;
        show('liquidity/1', { offered, min, stages });
      } else
        for (const { id, offered, daily_rate, min, max, quota } of product.products)
          show(`lockup/${id}`, { offered, daily_rate, min, max, quota });
    }
  });
  let changes: ShownChange[] | null = null;
  await tryTo('the announced terms', async () => {
    changes = (await call(listOfferChanges, {})).map(({ kind, subject, effective_from, after }) => ({
      of: `${kind}/${subject}`,
      fromMs: Date.parse(effective_from),
      fields: after as { [name: string]: Canonical },
    }));
  });
  find(judgeShownOffers({ versions, shown, changes, nowMs: now() }));
}

/** A box's file may be of a megabyte, so it is read again after new draws and this time. */
const BOX_FILE_EVERY_MS = 10 * 60_000;

async function lookAtBoxes({ memory, now, find, tryTo }: PublicLook, call: AskCall): Promise<void> {
  const nowMs = now();
  const { lists: boxes } = await call(listBoxes, {});
  find(judgeBoxes(memory.log, boxes));
  for (const box of boxes) {
    const { id, drawn } = box;
    const seen = memory.seen.boxes[id];
    if (seen !== undefined && (seen.drawn === drawn || nowMs - seen.atMs < BOX_FILE_EVERY_MS)) continue;
    await tryTo(`the file of box ${id}`, async () => {
      find(await judgeBoxFile(box, await call(readBoxFile, { id }), memory.seen.keys));
      memory.seen.boxes[id] = { drawn, atMs: nowMs };
    });
  }
}

const TRADES_PAGE = 200;
const TRADE_PAGES_MAX = 25;

async function lookAtTrades({ memory: { seen }, find, note }: PublicLook, call: AskCall, code: string): Promise<void> {
  const before = seen.trades[code];
  const trades: TradeView[] = [];
  let page: string | null = null;
  for (let pages = 0; pages < TRADE_PAGES_MAX; pages += 1) {
    const answer: Awaited<ReturnType<typeof readPage>> = await readPage(call, code, page);
    trades.push(...answer.items);
    page = answer.next;
    if (before === undefined || page === null || trades.some(({ id }) => id === before.id)) break;
  }
  if (before !== undefined && page !== null && !trades.some(({ id }) => id === before.id))
    note(`Trades of ${code} between ${before.id} and ${trades.at(-1)?.id} were not read.`);
  const findings = judgeTrades(trades, before, page === null);
  find(findings);
  const [newest] = trades;
  if (findings.length === 0 && newest !== undefined) seen.trades[code] = newest;
}

const readPage = (call: AskCall, code: string, page: string | null) =>
  call(listTrades, { code, limit: String(TRADES_PAGE), ...(page !== null && { page }) });
