import { type CoinCode, type Money, money, type Price, price } from '@sathorn/money';
import type { ContractTicket, LimitTicket, MarketTicket, TriggerTick, WaitingTicket } from '@sathorn/settlement';
import type { Intent } from '../../ledger/index.ts';
import type { WireValue } from '../../platform/bus/index.ts';

/** A command to a coin's matcher. */
export type ContractCommand =
  | PlaceCommand
  | AmendCommand
  | RevokeCommand
  | RevokeAllCommand
  | PlaceWaitingCommand
  | PlacePairCommand
  | AmendWaitingCommand
  | RevokeWaitingCommand
  | TriggerCommand
  | QuoteCommand
  | TakeCommand;

export interface PlaceCommand {
  readonly do: 'place';
  readonly customer: bigint;
  readonly ticket: ContractTicket;
  /** VIP level, from 0. It determines the order's fees, which stay for the whole order. */
  readonly level: number;
  /** The regular purchase that this is an execution of. */
  readonly recurring?: RecurringRun;
}
/** An execution of a regular purchase: its instruction, its number from 1, and the local day on which it is due. */
export interface RecurringRun {
  readonly id: string;
  readonly number: number;
  readonly day: number;
}
/** Changes a resting order: see `decideAmend`. */
export interface AmendCommand {
  readonly do: 'amend';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly sequence: number;
  readonly price: Price | null;
  /** The new size as it was requested. */
  readonly quantity: string | null;
  /** VIP level of an order at a new price. */
  readonly level: number;
}
export interface RevokeCommand {
  readonly do: 'revoke';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly sequence: number;
}
/** Revokes all resting and waiting orders of a customer on a coin's book. */
export interface RevokeAllCommand {
  readonly do: 'revoke_all';
  readonly customer: bigint;
  readonly coin: CoinCode;
}
/** Places an order that waits for the index: see `decideWaiting`. */
export interface PlaceWaitingCommand {
  readonly do: 'place_waiting';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly ticket: WaitingTicket;
  readonly level: number;
}
/** Places a resting order and one that waits, of which the first that is filled or triggered ends the other. */
export interface PlacePairCommand {
  readonly do: 'place_pair';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly limit: LimitTicket;
  readonly ticket: WaitingTicket;
  readonly level: number;
}
/** Replaces a waiting order by one that differs in these fields. */
export interface AmendWaitingCommand {
  readonly do: 'amend_waiting';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly sequence: number;
  readonly triggerPrice: Price | null;
  readonly price: Price | null;
  /** As it was requested. */
  readonly quantity: string | null;
  readonly level: number;
}
export interface RevokeWaitingCommand {
  readonly do: 'revoke_waiting';
  readonly customer: bigint;
  readonly coin: CoinCode;
  readonly sequence: number;
}
/**
 * Triggers the first accepted of the waiting orders that this tick reaches. It names no order, so whatever happens to a
 * command, the next one triggers the next order. The matcher gives it to itself; it never travels.
 */
export interface TriggerCommand {
  readonly do: 'trigger';
  readonly coin: CoinCode;
  readonly tick: TriggerTick;
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

/** An order of the house's market maker that takes what customers offer: see `decideTake`. */
export interface TakeCommand extends Pick<QuoteCommand, 'lease' | 'untilMs'> {
  readonly do: 'take';
  readonly ticket: LimitTicket;
}

export const coinOfCommand = (command: ContractCommand): CoinCode =>
  command.do === 'place' || command.do === 'take' ? command.ticket.coin : command.coin;

/** The subject on which a coin's matcher listens. */
export const matcherSubjectOf = (coin: CoinCode): string => `contracts.${coin}`;

const moneyWire = ({ asset, units }: Money): WireValue => ({ asset, units: String(units) });

function ticketWire(ticket: ContractTicket): WireValue {
  if (ticket.type === 'market') {
    const { priceMax, ...rest } = ticket;
    return { ...rest, size: moneyWire(ticket.size), ...(priceMax !== undefined && { priceMax: String(priceMax) }) };
  }
  return { ...ticket, price: String(ticket.price), quantity: moneyWire(ticket.quantity) };
}

const priceWire = (value: Price | null): string | null => (value === null ? null : String(value));
const waitingWire = ({ triggerPrice, order, ...ticket }: WaitingTicket): WireValue => ({
  ...ticket,
  triggerPrice: String(triggerPrice),
  order: ticketWire(order),
});

export function writeCommand(command: ContractCommand, intent: Intent): WireValue {
  const { id, digest } = intent;
  switch (command.do) {
    case 'place':
      return {
        do: 'place',
        customer: String(command.customer),
        ticket: ticketWire(command.ticket),
        level: command.level,
        ...(command.recurring && { recurring: { ...command.recurring } }),
        id,
        digest,
      };
    case 'amend':
      return { ...command, customer: String(command.customer), price: priceWire(command.price), id, digest };
    case 'place_waiting':
      return { ...command, customer: String(command.customer), ticket: waitingWire(command.ticket), id, digest };
    case 'place_pair': {
      const { customer, limit, ticket } = command;
      return {
        ...command,
        customer: String(customer),
        limit: ticketWire(limit),
        ticket: waitingWire(ticket),
        id,
        digest,
      };
    }
    case 'amend_waiting': {
      const prices = { triggerPrice: priceWire(command.triggerPrice), price: priceWire(command.price) };
      return { ...command, ...prices, customer: String(command.customer), id, digest };
    }
    case 'trigger':
      throw new Error('a tick triggers orders in the process of their matcher');
    case 'revoke':
    case 'revoke_waiting':
    case 'revoke_all':
      return { ...command, customer: String(command.customer), id, digest };
    case 'quote':
      return { ...command, lease: String(command.lease), quotes: command.quotes.map(ticketWire), id, digest };
    case 'take':
      return { ...command, lease: String(command.lease), ticket: ticketWire(command.ticket), id, digest };
  }
}

// Our own `writeCommand` wrote it, perhaps in another process, so it is trusted.
interface MoneyOnWire {
  readonly asset: Money['asset'];
  readonly units: string;
}
type TicketOnWire =
  | (Omit<LimitTicket, 'price' | 'quantity'> & { readonly price: string; readonly quantity: MoneyOnWire })
  | (Omit<MarketTicket, 'size' | 'priceMax'> & { readonly size: MoneyOnWire; readonly priceMax?: string });

const moneyOf = <A extends Money['asset']>({ asset, units }: MoneyOnWire): Money<A> => money(asset as A, BigInt(units));
const priceOf = (text: string): Price => price(BigInt(text));

function ticketOf(wire: TicketOnWire): ContractTicket {
  if (wire.type === 'market') {
    const { priceMax, ...rest } = wire;
    return {
      ...rest,
      size: moneyOf<CoinCode>(wire.size),
      ...(priceMax !== undefined && { priceMax: priceOf(priceMax) }),
    };
  }
  return { ...wire, price: priceOf(wire.price), quantity: moneyOf<CoinCode>(wire.quantity) };
}

type WaitingOnWire = Omit<WaitingTicket, 'triggerPrice' | 'order'> & {
  readonly triggerPrice: string;
  readonly order: TicketOnWire;
};
const waitingOf = (wire: WaitingOnWire): WaitingTicket => ({
  ...wire,
  triggerPrice: priceOf(wire.triggerPrice),
  order: ticketOf(wire.order),
});
const priceOrNull = (text: string | null): Price | null => (text === null ? null : priceOf(text));

export function readCommand(wire: WireValue): { command: ContractCommand; intent: Intent } {
  const { id, digest, ...said } = wire as unknown as Intent &
    (
      | {
          readonly do: 'place';
          readonly customer: string;
          readonly ticket: TicketOnWire;
          readonly level?: number;
          readonly recurring?: RecurringRun;
        }
      | (Omit<AmendCommand, 'customer' | 'price'> & { readonly customer: string; readonly price: string | null })
      | (Omit<PlaceWaitingCommand, 'customer' | 'ticket'> & {
          readonly customer: string;
          readonly ticket: WaitingOnWire;
        })
      | (Omit<PlacePairCommand, 'customer' | 'limit' | 'ticket'> & {
          readonly customer: string;
          readonly limit: TicketOnWire;
          readonly ticket: WaitingOnWire;
        })
      | (Omit<AmendWaitingCommand, 'customer' | 'triggerPrice' | 'price'> & {
          readonly customer: string;
          readonly triggerPrice: string | null;
          readonly price: string | null;
        })
      | (Omit<RevokeWaitingCommand, 'customer'> & { readonly customer: string })
      | (Omit<RevokeCommand, 'customer'> & { readonly customer: string })
      | (Omit<RevokeAllCommand, 'customer'> & { readonly customer: string })
      | (Omit<QuoteCommand, 'lease' | 'quotes'> & { readonly lease?: string; readonly quotes: readonly TicketOnWire[] })
      | (Omit<TakeCommand, 'lease' | 'ticket'> & { readonly lease: string; readonly ticket: TicketOnWire })
    );
  const intent = { id, digest };
  switch (said.do) {
    case 'place': {
      // Commands from versions before VIP levels have no level.
      const { customer, ticket, level = 0, recurring } = said;
      const placed = { do: 'place', customer: BigInt(customer), ticket: ticketOf(ticket), level } as const;
      return { intent, command: recurring === undefined ? placed : { ...placed, recurring } };
    }
    case 'amend':
      return { intent, command: { ...said, customer: BigInt(said.customer), price: priceOrNull(said.price) } };
    case 'place_waiting':
      return { intent, command: { ...said, customer: BigInt(said.customer), ticket: waitingOf(said.ticket) } };
    case 'place_pair': {
      const { customer, limit, ticket } = said;
      const tickets = { limit: ticketOf(limit) as LimitTicket, ticket: waitingOf(ticket) };
      return { intent, command: { ...said, customer: BigInt(customer), ...tickets } };
    }
    case 'amend_waiting': {
      const prices = { triggerPrice: priceOrNull(said.triggerPrice), price: priceOrNull(said.price) };
      return { intent, command: { ...said, ...prices, customer: BigInt(said.customer) } };
    }
    case 'revoke_waiting':
      return { intent, command: { ...said, customer: BigInt(said.customer) } };
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
    case 'take':
      return { intent, command: { ...said, lease: BigInt(said.lease), ticket: ticketOf(said.ticket) as LimitTicket } };
  }
}
