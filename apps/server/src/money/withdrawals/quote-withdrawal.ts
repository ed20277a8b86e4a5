import { quoteWithdrawal } from '@sathorn/api';
import { formatDecimal, formatMoney, subtract } from '@sathorn/money';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../../platform/edge/index.ts';
import { sealQuote } from './sealed-quote.ts';
import { WITHDRAWAL_SETTINGS } from './withdrawal-settings.ts';
import { storeQuote, sweepQuotes } from './withdrawal-store.ts';
import { payeeViewOf, withdrawalTermsOf } from './withdrawal-terms.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

const DAY_MS = 24 * 3_600_000;

export function quoteWithdrawalHandler(module: WithdrawalsModule): Handler {
  const { database, customers, heldSince } = module;
  return handle(quoteWithdrawal, async ({ customer: { id: customer }, request, now }) => {
    const decided = await withdrawalTermsOf(module, customer, request, now);
    if (!decided.ok) return decided;
    const { channel, payee, amount, fee, baht, people, promisedAt, delayedUntil, delayReason, receiver, ...rest } =
      decided.effect;
    const validUntil = new Date(now.getTime() + WITHDRAWAL_SETTINGS.quoteMs);
    const rate = channel.rate?.units ?? null;
    const quote = sealQuote(module.sealer, {
      customer_id: customer,
      channel: channel.name,
      payee_id: payee.id,
      amount,
      fee,
      rate,
      baht,
      valid_until: validUntil,
    });
    await storeQuote(database, quote);
    const { id } = quote;
    if (Math.random() < 0.01) await sweepQuotes(database, new Date(now.getTime() - DAY_MS));
    const second = await customers.checkSecondFactor(customer, { kind: 'withdrawal', subject: id }, undefined, now);
    return accept({
      quote: id,
      valid_until: validUntil.toISOString(),
      channel: channel.name,
      payee: payeeViewOf(payee),
      amount: formatMoney(amount),
      fee: formatMoney(fee),
      actual_amount: formatMoney(subtract(amount, fee)),
      fiat:
        baht === null || rate === null
          ? null
          : { currency: 'THB', amount: formatMoney(baht), rate: formatDecimal(rate, 6) },
      people,
      promised_at: promisedAt.toISOString(),
      delayed_until: delayedUntil?.toISOString() ?? null,
      delay_reason: (await heldSince(database)) === null ? delayReason : 'restoration',
      is_internal: receiver !== null,
      looks_like: rest.looksLike,
      second_factor_required: !second.ok,
    });
  });
}
