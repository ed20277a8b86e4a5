import { listBalances, type ResultOf } from '@sathorn/api';
import { formatMoney, money } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../platform/edge/handle.ts';
import type { Ledger } from './ledger.ts';
import { spotFundsOf } from './spot-funds.ts';

/** Available and held, of each asset that a customer has or had. */
export const readFunds = async (ledger: Ledger, owner: bigint): Promise<ResultOf<typeof listBalances>> =>
  [...spotFundsOf(await ledger.balances(owner))].map(([asset, { available, held }]) => ({
    asset,
    available: formatMoney(money(asset, available)),
    held: formatMoney(money(asset, held)),
  }));

export const listBalancesHandler = (ledger: Ledger): Handler =>
  handle(listBalances, async ({ customer }) => accept(await readFunds(ledger, customer.id)));
