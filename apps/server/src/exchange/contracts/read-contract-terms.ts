import { readContractTerms } from '@sathorn/api';
import { COINS, formatDecimal, formatMoney, formatRate, rateFromBasisPoints } from '@sathorn/money';
import { accept, CONTRACT_LIMITS, decideCover } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/handle.ts';
import type { Contracts } from './contracts.ts';

const shareOf = (bps: number | bigint): string => formatRate(rateFromBasisPoints(BigInt(bps)));

export function readContractTermsHandler(contracts: Contracts): Handler {
  return handle(readContractTerms, async ({ request: { code }, now }) => {
    const { priceDecimals, lotDecimals } = COINS[code];
    const { fees, of } = contracts.terms();
    const { amountMin, amountMax, isOffered } = of(code);
    const buying = decideCover('buy', await contracts.coverOf(code, now));
    const { bandBps, collarBps, restingCollarBps, openOrdersMax } = CONTRACT_LIMITS;
    return accept({
      code,
      offered: isOffered,
      buy_refusal: buying.ok ? null : buying.refusal,
      tick: formatDecimal(1n, priceDecimals),
      lot: formatDecimal(1n, lotDecimals),
      amount_min: formatMoney(amountMin),
      amount_max: formatMoney(amountMax),
      band: shareOf(bandBps),
      collar: shareOf(collarBps),
      resting_collar: shareOf(restingCollarBps),
      open_orders_max: openOrdersMax,
      fees: fees.map(({ makerBps, takerBps }, level) => ({
        level,
        maker: shareOf(makerBps),
        taker: shareOf(takerBps),
      })),
    });
  });
}
