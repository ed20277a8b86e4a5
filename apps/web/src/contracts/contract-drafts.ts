import { openDrafts } from '@sathorn/app/session';
import type { CoinCode } from '@sathorn/money';
import { useState } from 'react';
import { type ContractTicket, NEW_TICKET } from './contract-ticket.ts';
import { sizeOfTotal } from './total-size.ts';

/** One side of a coin's ticket. */
export interface SideDraft extends Omit<ContractTicket, 'side' | 'price'> {
  /** Undefined until a price is typed or taken from the book; the ticket then starts with the index. */
  readonly price: string | undefined;
  /** A limit order's value in USDT, if the customer typed it in place of the size. The size then follows the price. */
  readonly total: string;
}

const NEW_SIDE: SideDraft = { ...NEW_TICKET, price: undefined, total: '' };

interface CoinDraft {
  readonly side: ContractTicket['side'];
  readonly buy: SideDraft | undefined;
  readonly sell: SideDraft | undefined;
}

const drafts = openDrafts<CoinDraft>('contract', { side: NEW_TICKET.side, buy: undefined, sell: undefined });

function changeSide(code: string, side: ContractTicket['side'], part: Partial<SideDraft>): void {
  drafts.change(code, { [side]: { ...(drafts.read(code)[side] ?? NEW_SIDE), ...part } });
}

/** Copies a price from the book to the ticket. */
export function setTicketPrice(code: string, price: string): void {
  changeSide(code, drafts.read(code).side, { type: 'limit', price });
}

/** Switches the ticket to a limit order, whose price starts with the index, and focuses the price. */
export function startLimitOrder(code: string): void {
  changeSide(code, drafts.read(code).side, { type: 'limit' });
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.contract-ticket input[name=price]')?.focus());
}

/**
 * The draft of a coin's ticket, one per side. It starts with the index price, because the last trade may be hours old.
 */
export function useContractDraft(code: CoinCode, index: string | null, lot: string) {
  const { side, ...sides } = drafts.use(code);
  const draft = sides[side] ?? NEW_SIDE;
  const [first, setFirst] = useState(index);
  if (first === null && index !== null) setFirst(index);
  const price = draft.price ?? first ?? '';
  const size = draft.total === '' ? draft.size : sizeOfTotal(code, draft.total, price, lot);
  return {
    draft,
    ticket: { ...draft, side, price, size } satisfies ContractTicket,
    change: (part: Partial<SideDraft>) => changeSide(code, side, part),
    /** Forgets the sent draft, but its price stays visible until the ticket is closed. */
    forgetSent: () => {
      setFirst(draft.price ?? first);
      changeSide(code, side, { size: '', total: '', price: undefined });
    },
    /** A side that is opened for the first time copies the other side's draft except the quantity. */
    chooseSide: (chosen: ContractTicket['side']) =>
      drafts.change(code, { side: chosen, [chosen]: sides[chosen] ?? { ...draft, size: '', total: '' } }),
  };
}
