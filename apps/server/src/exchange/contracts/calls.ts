import {
  amendContract,
  amendWaiting,
  listContracts,
  listFills,
  listTrades,
  listWaiting,
  placeContract,
  placePair,
  placeWaiting,
  readBook,
  readContract,
  readMarketMaker,
  readWaiting,
  revokeContract,
  revokeContracts,
  revokeWaiting,
} from '@sathorn/api';
import { accept, readContractTicket, readPair, readWaitingTicket } from '@sathorn/settlement';
import { allowOnAnyClock, type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';
import { readTapePosition } from './list-page.ts';

const DEPTH_DEFAULT = 20;
const LIMIT_DEFAULT = 50;
/** The market maker's figures are several sums, which cost the database as much as reading this many rows. */
const FIGURES_ROWS = 100;

export const contractCalls = (contracts: Contracts): Handler[] => [
  handle(placeContract, async ({ customer, request, intent }) => {
    const { code: coin, side, type, price, quantity, amount, tif: timeInForce, post_only: postOnly } = request;
    const ticket = readContractTicket(
      { coin, side, type, price, quantity, amount, timeInForce, postOnly },
      contracts.terms().of(coin),
    );
    return ticket.ok ? contracts.place(customer.id, ticket.effect, intent) : ticket;
  }),
  handle(amendContract, ({ customer, request: { id, price, quantity }, intent }) =>
    contracts.amend(customer.id, id, { price, quantity }, intent),
  ),
  handle(revokeContract, ({ customer, request, intent }) => contracts.revoke(customer.id, request.id, intent)),
  handle(revokeContracts, ({ customer, request, intent }) =>
    contracts.revokeAll(customer.id, request.code ?? null, intent),
  ),
  handle(placeWaiting, async ({ customer, request, intent }) => {
    const { code: coin, side, type, price, quantity, amount, tif: timeInForce, post_only: postOnly } = request;
    const { trigger, trigger_price: triggerPrice } = request;
    const ticket = readWaitingTicket(
      { coin, side, type, price, quantity, amount, timeInForce, postOnly, trigger, triggerPrice },
      contracts.terms().of(coin),
    );
    return ticket.ok ? contracts.placeWaiting(customer.id, ticket.effect, intent) : ticket;
  }),
  handle(placePair, async ({ customer, request, intent }) => {
    const { code: coin, side, quantity, price, trigger_price: triggerPrice, stop_price: stopPrice } = request;
    const pair = readPair({ coin, side, quantity, price, triggerPrice, stopPrice }, contracts.terms().of(coin));
    return pair.ok ? contracts.placePair(customer.id, pair.effect.limit, pair.effect.stop, intent) : pair;
  }),
  handle(amendWaiting, ({ customer, request: { id, trigger_price: triggerPrice, price, quantity }, intent }) =>
    contracts.amendWaiting(customer.id, id, { triggerPrice, price, quantity }, intent),
  ),
  handle(revokeWaiting, ({ customer, request, intent }) => contracts.revokeWaiting(customer.id, request.id, intent)),
  ...allowOnAnyClock(
    handle(listWaiting, async ({ customer, request: { status, code, page } }) =>
      accept(await contracts.listWaiting(customer.id, { status, coin: code ?? null, page: page ?? null })),
    ),
    handle(readWaiting, ({ customer, request }) => contracts.readWaiting(customer.id, request.id)),
    handle(listContracts, async ({ customer, request: { status, code, side, page } }) =>
      accept(await contracts.list(customer.id, { status, coin: code ?? null, side: side ?? null, page: page ?? null })),
    ),
    handle(readContract, ({ customer, request }) => contracts.read(customer.id, request.id)),
    handle(listFills, async ({ customer, request: { order, code, page, limit = LIMIT_DEFAULT } }) =>
      order === undefined
        ? accept(await contracts.fills(customer.id, code ?? null, page ?? null, limit))
        : contracts.fillsOf(customer.id, order, page ?? null, limit),
    ),
    handle(readBook, async ({ request: { code, depth = DEPTH_DEFAULT }, now }) => {
      const known = contracts.book(code);
      const book = known ?? { code, bids: [], asks: [], sequence: '0', at: now.toISOString() };
      return accept({
        ...book,
        bids: book.bids.slice(0, depth),
        asks: book.asks.slice(0, depth),
        stale: contracts.isBookStale(code, now),
      });
    }),
    handle(
      listTrades,
      async ({ request: { code, limit, page } }) =>
        accept(await contracts.tape(code, page ?? null, limit ?? LIMIT_DEFAULT)),
      // Skipped rows count too, because the database reads them as well.
      { rowsOf: ({ page, limit = LIMIT_DEFAULT }) => limit + readTapePosition(page ?? null, limit).skip },
    ),
    handle(readMarketMaker, async () => accept(await contracts.marketMakerFigures()), {
      rowsOf: () => FIGURES_ROWS,
    }),
  ),
];
