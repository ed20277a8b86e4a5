import type { placeContract, RequestOf } from '@sathorn/api';

/** The customer's input so far; amounts are canonical decimals, or '' when empty. */
export interface ContractTicket {
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly price: string;
  /** In coins, or in USDT for a market buy by amount. */
  readonly size: string;
  /** `amount` is possible only for a market buy; every other order states the number of coins. */
  readonly sizedBy: 'quantity' | 'amount';
  /** Only for a limit order. */
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly isPostOnly: boolean;
}

export const NEW_TICKET: ContractTicket = {
  side: 'buy',
  type: 'limit',
  price: '',
  size: '',
  sizedBy: 'amount',
  timeInForce: 'GTC',
  isPostOnly: false,
};

export function isByAmount({ type, side, sizedBy }: ContractTicket): boolean {
  return type === 'market' && side === 'buy' && sizedBy === 'amount';
}

/** A post-only order must rest in the book, so it cannot also be IOC or FOK. */
export function isPostOnly({ type, timeInForce, isPostOnly }: ContractTicket): boolean {
  return type === 'limit' && timeInForce === 'GTC' && isPostOnly;
}

/** Builds the request with only the fields that this kind of order has. */
export function contractRequestOf(code: string, ticket: ContractTicket): RequestOf<typeof placeContract> {
  const { side, type, price, size, timeInForce } = ticket;
  const sized = isByAmount(ticket) ? { amount: size } : { quantity: size };
  if (type === 'market') return { code, side, type, ...sized };
  return { code, side, type, price, ...sized, tif: timeInForce, ...(isPostOnly(ticket) ? { post_only: 'true' } : {}) };
}
