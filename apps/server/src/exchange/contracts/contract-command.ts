import { type CoinCode, type Money, money, type Price, price } from '@sathorn/money';
import type { ContractTicket, LimitTicket } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import type { WireValue } from '../../platform/bus/index.ts';

/** A command to a coin's matcher. */
export type ContractCommand = PlaceCommand | RevokeCommand | RevokeAllCommand | QuoteCommand;

export interface PlaceCommand {
  readonly do: 'place';
  readonly customer: bigint;
  readonly ticket: ContractTicket;
  /** VIP level, from 0. It determines the order's fees, which stay for the whole order. */
  readonly level: number;
}
export interface RevokeCommand {
  readonly do: 'revoke';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly sequence: number;
}
/** Revokes all resting orders of a customer on a coin's book. */
export interface RevokeAllCommand {
  readonly do: 'revoke_all';
  readonly customer: bigint;
  readonly coin: CoinCode;
}
/** Replaces the quotes of the house's market maker. A new quote either rests or is omitted; it never takes. */
export interface QuoteCommand {
  readonly do: 'quote';
  readonly coin: CoinCode;
  /**
   * The lease that the maker's process held when it sent the command. A command from a process that has been replaced
   * is void.
   */
  readonly lease: bigint;
  readonly quotes: readonly LimitTicket[];
  /** After this time the quotes are rejected, because the index has moved on. */
  readonly untilMs: number;
}

export const coinOfCommand = (command: ContractCommand): CoinCode =>
  command.do === 'place' ? command.ticket.coin : command.coin;

/** The subject on which a coin's matcher listens. */
export const matcherSubjectOf = (coin: CoinCode): string => `contracts.${coin}`;

const moneyWire = ({ asset, units }: Money): WireValue => ({ asset, units: String(units) });

function ticketWire(ticket: ContractTicket): WireValue {
  if (ticket.type === 'market') return { ...ticket, size: moneyWire(ticket.size) };
  return { ...ticket, price: String(ticket.price), quantity: moneyWire(ticket.quantity) };
}

export function writeCommand(command: ContractCommand, intent: Intent): WireValue {
  const { id, digest } = intent;
  switch (command.do) {
    case 'place':
      return {
        do: 'place',
        customer: String(command.customer),
        ticket: ticketWire(command.ticket),
        level: command.level,
        id,
        digest,
      };
    case 'revoke':
    case 'revoke_all':
      return { ...command, customer: String(command.customer), id, digest };
    case 'quote':
      return { ...command, lease: String(command.lease), quotes: command.quotes.map(ticketWire), id, digest };
  }
}

// Our own `writeCommand` wrote it, perhaps in another process, so it is trusted.
interface MoneyOnWire {
  readonly asset: Money['asset'];
  readonly units: string;
}
type TicketOnWire =
  | (Omit<LimitTicket, 'price' | 'quantity'> & { readonly price: string; readonly quantity: MoneyOnWire })
  | (Omit<Extract<ContractTicket, { type: 'market' }>, 'size'> & { readonly size: MoneyOnWire });

const moneyOf = <A extends Money['asset']>({ asset, units }: MoneyOnWire): Money<A> => money(asset as A, BigInt(units));
const priceOf = (text: string): Price => price(BigInt(text));

function ticketOf(wire: TicketOnWire): ContractTicket {
  if (wire.type === 'market') return { ...wire, size: moneyOf<CoinCode>(wire.size) };
  return { ...wire, price: priceOf(wire.price), quantity: moneyOf<CoinCode>(wire.quantity) };
}

export function readCommand(wire: WireValue): { command: ContractCommand; intent: Intent } {
  const { id, digest, ...said } = wire as unknown as Intent &
    (
      | {
          readonly do: 'place';
          readonly customer: string;
          readonly ticket: TicketOnWire;
          readonly level?: number;
        }
      | (Omit<RevokeCommand, 'customer'> & { readonly customer: string })
      | (Omit<RevokeAllCommand, 'customer'> & { readonly customer: string })
      | (Omit<QuoteCommand, 'lease' | 'quotes'> & { readonly lease?: string; readonly quotes: readonly TicketOnWire[] })
    );
  const intent = { id, digest };
  switch (said.do) {
    case 'place': {
      // Commands from versions before VIP levels have no level.
      const { customer, ticket, level = 0 } = said;
      return { intent, command: { do: 'place', customer: BigInt(customer), ticket: ticketOf(ticket), level } };
    }
    case 'revoke': {
      const { coin, sequence } = said;
      return { intent, command: { do: 'revoke', customer: BigInt(said.customer), coin, sequence } };
    }
    case 'revoke_all':
      return { intent, command: { do: 'revoke_all', customer: BigInt(said.customer), coin: said.coin } };
    case 'quote': {
      // Commands from versions before leases have none. Their process has been replaced, so -1 never matches.
      const lease = BigInt(said.lease ?? -1);
      return { intent, command: { ...said, lease, quotes: said.quotes.map(ticketOf) as LimitTicket[] } };
    }
  }
}
