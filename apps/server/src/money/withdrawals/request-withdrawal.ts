import { requestWithdrawal } from '@sathorn/api';
import { authorisationText } from '@sathorn/proof';
import { accept, isQuoteFor, refuse } from '@sathorn/settlement';
import { type CallContext, type Handler, handle } from '../../platform/edge/index.ts';
import { Semaphore } from '../../platform/semaphore.ts';
import { orderNumberOf } from '../deposits/index.ts';
import { advanceWithdrawal } from './advance-withdrawal.ts';
import { isOwnQuote } from './sealed-quote.ts';
import type { RequestWithdrawalCommand } from './withdrawal-kinds.ts';
import { readOwnWithdrawal, readQuoteRow } from './withdrawal-store.ts';
import { withdrawalTermsOf } from './withdrawal-terms.ts';
import { sealCard } from './withdrawal-view.ts';
import type { WithdrawalsModule } from './withdrawals.ts';

/** A request uses several database connections, so more at once would only wait for some and time out. */
const AT_ONCE = 16;

/** An empty command: for a posted intent the ledger ignores it and returns the first answer. */
const AGAIN = {} as RequestWithdrawalCommand;

export function requestWithdrawalHandler(module: WithdrawalsModule): Handler {
  const { database, ledger, customers, sealer, timeZone } = module;
  const turns = new Semaphore(AT_ONCE);

  const withdraw = async ({
    customer: { id: customer },
    request,
    intent,
    now,
  }: CallContext<typeof requestWithdrawal>) => {
    const view = async () => {
      const row = await readOwnWithdrawal(database, intent.id, customer);
      return row && (await module.viewsOf([row]))[0];
    };
    // A repeated request gets its first answer, even if balance, limits or passwords have changed since.
    const before = await readOwnWithdrawal(database, intent.id, customer);
    if (before) {
      const again = await ledger.post(module.kinds.request, { ...AGAIN, withdrawal: before, dayBegan: now }, intent);
      const record = await view();
      return again.ok && record ? accept(record) : again.ok ? refuse('malformed_request') : again;
    }

    // The ledger refuses customers who may not trade. A freeze of withdrawals alone is checked here.
    if ((await customers.readFrozen(database, [customer])).has(customer)) return refuse('account_frozen');
    const decided = await withdrawalTermsOf(module, customer, request, now);
    if (!decided.ok) return decided;
    const terms = decided.effect;
    const { channel, payee, amount } = terms;
    let { fee, baht } = terms;
    let rate = channel.rate?.units ?? null;
    const { quote: quoteId } = request;
    if (quoteId !== undefined) {
      const quote = await readQuoteRow(database, quoteId, customer);
      const quoted = quote ? { ...quote, payee: quote.payee_id, validUntil: quote.valid_until } : null;
      // One that somebody else wrote into the table could promise any rate.
      if (
        !quote ||
        !isOwnQuote(sealer, quote) ||
        !isQuoteFor(quoted, { channel: channel.name, payee: payee.id, amount }, now)
      )
        return refuse('quote_expired', { field: 'quote' });
      // A valid quote is honoured as it was shown.
      ({ fee, baht, rate } = quote);
    }

    if (!(await customers.hasPaymentPassword(customer))) return refuse('paypass_not_set');
    const checked = await customers.checkPaymentPassword(customer, request.paypass, now);
    if (!checked.ok) return checked.refusal === 'paypass_wrong' ? { ...checked, field: 'paypass' } : checked;
    // The code confirms exactly what was shown: the quote fixes amount, fee and payee.
    const subject = quoteId ?? `${channel.name} ${payee.id} ${amount.units} ${fee.units}`;
    const second = await customers.checkSecondFactor(customer, { kind: 'withdrawal', subject }, request.otp, now);
    if (!second.ok) return { ...second, field: 'otp' };
    const [chainCode, address] =
      payee.kind === 'wallet' ? [payee.chain, payee.address.toLowerCase()] : [null, payee.accountDigest];
    const authorisation = module.authorise(
      authorisationText({
        withdrawal: intent.id,
        customer: String(customer),
        channel: channel.name,
        chain: chainCode,
        address,
        payee: payee.id,
        amount,
        fee,
        quote: quoteId ?? null,
        atMs: now.getTime(),
      }),
    );

    const posted = await ledger.post(
      module.kinds.request,
      {
        withdrawal: {
          order_number: orderNumberOf('W', intent.id, now, timeZone),
          customer_id: customer,
          channel: channel.name,
          kind: channel.kind,
          step: terms.delayedUntil === null ? 'first_check' : 'delayed',
          amount,
          fee,
          rate,
          baht,
          people: terms.people,
          quote: quoteId ?? null,
          payee_id: payee.id,
          payee_name: payee.name,
          chain: payee.kind === 'wallet' ? payee.chain : null,
          address: payee.kind === 'wallet' ? payee.address.toLowerCase() : null,
          payee_opening: payee.kind === 'wallet' ? payee.opening : null,
          payee_sealed: payee.kind === 'card' ? sealCard(sealer, customer, intent.id, payee) : null,
          receiver: terms.receiver,
          created_at: now,
          promised_at: terms.promisedAt,
          delayed_until: terms.delayedUntil,
          delay_reason: terms.delayReason,
        },
        dailyMax: terms.dailyMax,
        min: channel.min,
        dayBegan: terms.dayBegan,
        thresholds: terms.thresholds,
        authorisation,
      },
      intent,
    );
    if (!posted.ok) return posted;
    await advanceWithdrawal(module, intent.id, now);
    const record = await view();
    if (!record) throw new Error('a withdrawal is not there');
    return accept(record);
  };

  return handle(requestWithdrawal, (context) => turns.run(() => withdraw(context)));
}
