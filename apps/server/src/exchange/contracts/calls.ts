import {
  listContracts,
  listFills,
  listTrades,
  placeContract,
  readBook,
  readContract,
  readMarketMaker,
  revokeContract,
  revokeContracts,
} from '@sathorn/api';
import { accept, readContractTicket } from '@sathorn/settlement';
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
  handle(revokeContract, ({ customer, request, intent }) => contracts.revoke(customer.id, request.id, intent)),
  handle(revokeContracts, ({ customer, request, intent }) =>
    contracts.revokeAll(customer.id, request.code ?? null, intent),
  ),
  ...allowOnAnyClock(
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
