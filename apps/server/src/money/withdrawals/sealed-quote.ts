import { isSealedId, sealedId } from '../../platform/sealed-id.ts';
import type { Sealer } from '../../platform/sealing.ts';
import type { QuoteRow } from './withdrawal-store.ts';

const saidBy = (quote: Omit<QuoteRow, 'id'>): readonly string[] =>
  [
    quote.customer_id,
    quote.channel,
    quote.payee_id,
    quote.amount.units,
    quote.fee.units,
    quote.rate ?? '',
    quote.baht?.units ?? '',
    quote.valid_until.getTime(),
  ].map(String);

/** A quote is honoured as it stands in the table, so its id proves that this server wrote it. */
export const sealQuote = (sealer: Pick<Sealer, 'digest'>, quote: Omit<QuoteRow, 'id'>): QuoteRow => ({
  ...quote,
  id: sealedId(sealer, ...saidBy(quote)),
});
export const isOwnQuote = (sealer: Pick<Sealer, 'digest'>, { id, ...quote }: QuoteRow): boolean =>
  isSealedId(sealer, id, ...saidBy(quote));
