/**
 * Decides the transfers when two orders match. The function is pure, so anybody can recompute it from the trade and the
 * two orders.
 *
 * The taker pays from its available balance, the maker from its order's hold. Each pays its fee out of the amount it
 * receives. Holds are rounded up and payments down, so a hold covers its fills. A completely filled maker gets the rest
 * of its hold back.
 */
import { type CoinCode, type Money, money, type Price, type Rate, subtract } from '@sathorn/money';
import { contractAmount, contractFee } from './contract-terms.ts';

export interface ContractFill {
  readonly takerSide: 'buy' | 'sell';
  readonly price: Price;
  readonly quantity: Money<CoinCode>;
  readonly makerRate: Rate;
  readonly takerRate: Rate;
  /** The hold of the maker's order before the fill. */
  readonly makerHeld: Money;
  /** True when nothing of the maker's order is left. */
  readonly isMakerFilled: boolean;
}

type FillAccount = 'taker' | 'maker' | 'maker_in_orders' | 'fees';

export interface FillMove {
  readonly from: FillAccount;
  readonly to: FillAccount;
  /** Always above zero. */
  readonly amount: Money;
  readonly purpose: 'trade' | 'fee' | 'release';
}

interface FillSettlement {
  readonly amount: Money<'USDT'>;
  /** Each fee is in the asset that its side receives. */
  readonly makerFee: Money;
  readonly takerFee: Money;
  /** The hold of the maker's order afterwards. */
  readonly makerHeld: Money;
  /** In posting order. */
  readonly moves: readonly FillMove[];
}

export function settleFill(fill: ContractFill): FillSettlement {
  const { takerSide, quantity, makerHeld } = fill;
  const amount = contractAmount(fill.price, quantity, 'down');
  const [toMaker, toTaker]: [Money, Money] = takerSide === 'buy' ? [amount, quantity] : [quantity, amount];
  const makerFee = contractFee(toMaker, fill.makerRate);
  const takerFee = contractFee(toTaker, fill.takerRate);
  const left = subtract(makerHeld, toTaker);
  const moves: FillMove[] = [
    { from: 'taker', to: 'maker', amount: toMaker, purpose: 'trade' },
    { from: 'maker', to: 'fees', amount: makerFee, purpose: 'fee' },
    { from: 'maker_in_orders', to: 'taker', amount: toTaker, purpose: 'trade' },
    { from: 'taker', to: 'fees', amount: takerFee, purpose: 'fee' },
  ];
  if (fill.isMakerFilled) moves.push({ from: 'maker_in_orders', to: 'maker', amount: left, purpose: 'release' });
  return {
    amount,
    makerFee,
    takerFee,
    makerHeld: fill.isMakerFilled ? money(left.asset, 0n) : left,
    moves: moves.filter((move) => move.amount.units > 0n),
  };
}
