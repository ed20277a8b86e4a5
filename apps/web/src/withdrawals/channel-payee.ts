import type { CardView, WalletView, WithdrawalRate } from '@sathorn/api';

/** A saved wallet or card with the channel that pays to it. */
export interface ChannelPayee {
  readonly id: string;
  readonly kind: 'wallet' | 'card';
  readonly name: string;
  readonly address: string | null;
  /** Masked. */
  readonly number: string | null;
  readonly bankName: string | null;
  readonly realName: string | null;
  readonly usableFrom: string;
  readonly rate: WithdrawalRate;
}

/** Payees of one kind that have a channel, in the order in which they were added. */
export function channelPayeesOf(
  kind: 'wallet' | 'card',
  book: { wallets: readonly WalletView[]; cards: readonly CardView[] },
  rates: readonly WithdrawalRate[],
): ChannelPayee[] {
  if (kind === 'card') {
    const rate = rates.find((offered) => offered.kind !== 'crypto');
    if (!rate) return [];
    return book.cards.map((card) => ({
      id: card.id,
      kind,
      name: card.name,
      address: null,
      number: card.number,
      bankName: card.bank_name,
      realName: card.real_name,
      usableFrom: card.usable_from,
      rate,
    }));
  }
  return book.wallets.flatMap((wallet) => {
    const rate = rates.find((offered) => offered.chain?.code === wallet.chain);
    if (!rate) return [];
    return [
      {
        id: wallet.id,
        kind,
        name: wallet.name,
        address: wallet.address,
        number: null,
        bankName: null,
        realName: null,
        usableFrom: wallet.usable_from,
        rate,
      },
    ];
  });
}
