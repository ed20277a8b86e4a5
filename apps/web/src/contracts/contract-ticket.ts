import type { placeContract, RequestOf } from '@sathorn/api';

/** What the customer has chosen and typed so far; amounts are canonical decimals, or '' for none. */
export interface ContractTicket {
  readonly side: 'buy' | 'sell';
  readonly type: 'limit' | 'market';
  readonly price: string;
  /** In coins; in USDT for a market buy by amount. */
  readonly size: string;
  /** Of a market buy; every other order says how many coins. */
  readonly sizedBy: 'quantity' | 'amount';
  /** Of a limit order. */
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

/** Post-only orders wait in the book, so they can't also be ended at once. */
export function isPostOnly({ type, timeInForce, isPostOnly }: ContractTicket): boolean {
  return type === 'limit' && timeInForce === 'GTC' && isPostOnly;
}

/** As the call wants it: nothing that the kind of order does not have. */
export function requestOf(code: string, ticket: ContractTicket): RequestOf<typeof placeContract> {
  const { side, type, price, size, timeInForce } = ticket;
  const sized = isByAmount(ticket) ? { amount: size } : { quantity: size };
  if (type === 'market') return { code, side, type, ...sized };
  return { code, side, type, price, ...sized, tif: timeInForce, ...(isPostOnly(ticket) ? { post_only: 'true' } : {}) };
}
