import { createHash } from 'node:crypto';
import {
  addAlert,
  buyOption,
  drawBox,
  editUser,
  fundDemo,
  listAlerts,
  listBoxes,
  listContracts,
  placeContract,
  readBook,
  readContractTerms,
  readQuote,
  redeemLiquidity,
  revokeContract,
  seedDraw,
  signInDaily,
  subscribeEarning,
} from '@sathorn/api';
import { formatDecimal, parseDecimal } from '@sathorn/money';
import type { DemoScene } from './scene.ts';
import { type DemoPlayer, nullIfRefused, type Stage } from './stage.ts';

/** The decimals of a price on the wire. */
const SCALE = 6;

/** A price that differs from the index by this many thousandths, on the coin's price step. */
async function priceNear(stage: Stage, who: DemoPlayer, code: string, thousandths: bigint): Promise<string> {
  const [{ price }, { tick }] = [
    await stage.call(who, readQuote, { code }),
    await stage.call(who, readContractTerms, { code }),
  ];
  const [units, step] = [parseDecimal(price ?? '', SCALE), parseDecimal(tick, SCALE)];
  if (units === undefined || step === undefined) throw new Error(`${code} has no price`);
  return formatDecimal(((units * (1_000n + thousandths)) / 1_000n / step) * step, SCALE);
}

const buy = (
  stage: Stage,
  who: DemoPlayer,
  code: string,
  direction: 'up' | 'down',
  quantity: string,
  duration: number,
) => stage.call(who, buyOption, { code, direction, quantity, duration: String(duration) });

/** Reserves a draw and sends the client's own seed, as the app does. */
async function openBox(stage: Stage, who: DemoPlayer, id: string): Promise<void> {
  const { id: draw } = await stage.call(who, drawBox, { id });
  const seed = createHash('sha256').update(`demo ${draw}`).digest('hex');
  await nullIfRefused(stage.call(who, seedDraw, { id: draw, client_seed: seed }), 'seed_too_late', 'draw_unknown');
}

/**
 * One customer sells to the other, a price step below the best ask, where they meet before they meet the house. The
 * house may quote that price first; then the seller's order is still filled.
 */
async function tradeInside(stage: Stage, seller: DemoPlayer, buyer: DemoPlayer, code: string, quantity: string) {
  const { items } = await stage.call(seller, listContracts, { status: 'all' });
  // Prices follow the index, so a second try would place other orders.
  if (items.some((one) => one.code === code && one.side === 'sell')) return;
  const { asks } = await stage.call(seller, readBook, { code, depth: '1' });
  const { tick } = await stage.call(seller, readContractTerms, { code });
  const [ask, step] = [parseDecimal(asks[0]?.[0] ?? '', SCALE), parseDecimal(tick, SCALE)];
  if (ask === undefined || step === undefined) throw new Error(`${code} has no ask`);
  const order = { code, type: 'limit', quantity, price: formatDecimal(ask - step, SCALE) } as const;
  await stage.call(seller, placeContract, { ...order, side: 'sell' });
  await stage.call(buyer, placeContract, { ...order, side: 'buy', tif: 'IOC' });
}

export const TRADING_SCENES: readonly DemoScene[] = [
  {
    name: 'options',
    async play(stage, { nicha, wanida, krit }) {
      await buy(stage, nicha, 'BTC', 'up', '50', 30);
      await buy(stage, nicha, 'ETH', 'down', '20', 60);
      await buy(stage, nicha, 'SOL', 'up', '35', 60);
      await buy(stage, nicha, 'BTC', 'down', '100', 300);
      await buy(stage, wanida, 'BTC', 'up', '25', 30);
      await buy(stage, wanida, 'BTC', 'down', '25', 30);
      await buy(stage, wanida, 'ETH', 'up', '40', 30);
      await buy(stage, wanida, 'ETH', 'down', '40', 30);
      await buy(stage, krit, 'BNB', 'up', '500', 300);
    },
  },
  {
    name: 'earning',
    async play(stage, { nicha, krit }) {
      await stage.call(nicha, subscribeEarning, { type: 'regular', product: '7', amount: '500' });
      await stage.call(nicha, subscribeEarning, { type: 'regular', product: '30', amount: '1000' });
      await stage.call(nicha, subscribeEarning, { type: 'liquidity', amount: '1500' });
      await stage.call(krit, subscribeEarning, { type: 'regular', product: '90', amount: '5000' });
      await stage.call(krit, subscribeEarning, { type: 'liquidity', amount: '8000' });
      const { paypass } = nicha;
      await stage.call(nicha, redeemLiquidity, { amount: '200', speed: 'quick', paypass });
      await stage.call(nicha, redeemLiquidity, { amount: '300', speed: 'normal', paypass });
    },
  },
  {
    name: 'contracts',
    async play(stage, { nicha, krit }) {
      await stage.call(nicha, placeContract, { code: 'BTC', side: 'buy', type: 'market', amount: '600' });
      await stage.call(nicha, placeContract, { code: 'ETH', side: 'buy', type: 'market', amount: '400' });
      // Prices follow the index, so a second try would place other orders.
      const { items: orders } = await stage.call(nicha, listContracts, { status: 'all' });
      const limit = async (code: string, side: 'buy' | 'sell', quantity: string, thousandths: bigint) =>
        orders.find((one) => one.code === code && one.side === side && one.type === 'limit') ??
        (await stage.call(nicha, placeContract, {
          code,
          side,
          type: 'limit',
          quantity,
          price: await priceNear(stage, nicha, code, thousandths),
        }));
      await limit('BTC', 'buy', '0.002', -30n);
      await limit('BTC', 'sell', '0.002', 40n);
      const { id } = await limit('ETH', 'buy', '0.05', -20n);
      await nullIfRefused(stage.call(nicha, revokeContract, { id }), 'order_ended');
      await stage.call(krit, placeContract, { code: 'SOL', side: 'buy', type: 'market', amount: '900' });
    },
  },
  {
    name: 'shown_wins',
    async play(stage, { lek, somchai }) {
      for (const who of [lek, somchai])
        await nullIfRefused(stage.call(who, editUser, { public_wins: 'true' }), 'nothing_to_change');
      // Each trades against the other three times, so that one of them is ahead.
      for (const code of ['BTC', 'ETH', 'SOL']) {
        await buy(stage, lek, code, 'up', '20', 30);
        await buy(stage, somchai, code, 'down', '20', 30);
      }
    },
  },
  {
    name: 'trades_between_customers',
    async play(stage, { krit, lek }) {
      for (const [asset, quantity] of [
        ['ETH', '0.05'],
        ['SOL', '1'],
        ['BNB', '0.2'],
      ] as const) {
        await stage.call(krit, fundDemo, { asset, amount: '5' });
        await tradeInside(stage, krit, lek, asset, quantity);
      }
    },
  },
  {
    name: 'rewards',
    async play(stage, { nicha, krit }) {
      for (const who of [nicha, krit]) await nullIfRefused(stage.call(who, signInDaily, {}), 'already_signed_in');
      await stage.call(nicha, fundDemo, { asset: 'POINTS', amount: '120' });
      const { lists } = await stage.call(nicha, listBoxes, {});
      for (const { id, state } of lists.slice(0, 2)) if (state === 'open') await openBox(stage, nicha, id);
    },
  },
  {
    name: 'alerts',
    async play(stage, { nicha }) {
      // Prices follow the index, so a second try would add other alerts.
      if ((await stage.call(nicha, listAlerts, {})).items.length > 0) return;
      const far = {
        code: 'BTC',
        side: 'above',
        price: await priceNear(stage, nicha, 'BTC', 80n),
        mode: 'once',
      } as const;
      const near = {
        code: 'ETH',
        side: 'below',
        price: await priceNear(stage, nicha, 'ETH', -1n),
        mode: 'each',
      } as const;
      for (const alert of [far, near])
        await nullIfRefused(stage.call(nicha, addAlert, alert), 'alert_passed', 'too_many_alerts');
    },
  },
];
