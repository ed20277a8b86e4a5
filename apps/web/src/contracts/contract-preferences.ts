import { create } from 'zustand';

interface ContractPreferences {
  /** True when every order is confirmed before it is sent. */
  readonly asksFirst: boolean;
  /** Null until the customer chooses. By default a phone shows the book, the ticket and a line of the day's prices. */
  readonly hasChart: boolean | null;
  /** The grouping of the book: its step is the price step times this power of ten. */
  readonly bookTens: number;
}

const STORED_AS = 'contracts';
const FIRST: ContractPreferences = { asksFirst: true, hasChart: null, bookTens: 0 };

function read(): ContractPreferences {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED_AS) ?? '{}') as Partial<Record<string, unknown>>;
    return {
      asksFirst: kept.asksFirst !== false,
      hasChart: typeof kept.hasChart === 'boolean' ? kept.hasChart : null,
      bookTens: typeof kept.bookTens === 'number' && kept.bookTens > 0 ? Math.trunc(kept.bookTens) : 0,
    };
  } catch {
    return FIRST;
  }
}

export const useContractPreferences = create<ContractPreferences>(read);

export function setContractPreferences(change: Partial<ContractPreferences>): void {
  useContractPreferences.setState(change);
  try {
    localStorage.setItem(STORED_AS, JSON.stringify(useContractPreferences.getState()));
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
