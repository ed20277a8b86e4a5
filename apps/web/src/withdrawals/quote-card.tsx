import type { WithdrawalQuote, WithdrawalRate } from '@sathorn/api';
import { durationText, formatCount } from '@sathorn/text';
import { Card, Icon, type IconName, Skeleton, useText } from '@sathorn/ui';
import { MoneyFacts } from '../parts/money/facts.tsx';
import { MoneyNote } from '../parts/money/note.tsx';
import { useMoneyFormats } from '../parts/money/use-money.ts';
import { feeRuleText } from './fee-rule-text.ts';

interface QuoteCardProps {
  rate: WithdrawalRate;
  /** Undefined until a quote for the current input is loaded. */
  quote: WithdrawalQuote | undefined;
  isWaiting: boolean;
}

/** The current terms: the fee, the arriving amount, the time, and how many operators must approve. */
export function QuoteCard({ rate, quote, isWaiting }: QuoteCardProps) {
  const { t, presentation } = useText<'money' | 'withdrawals'>();
  const { plain, usdt, fiat, moment, rate: rateText } = useMoneyFormats();
  const blank = isWaiting ? <Skeleton height={16} width={90} /> : '–';
  const inMinutes = (minutes: number) => durationText(minutes * 60, presentation);
  return (
    <>
      <Card>
        <div aria-live="polite">
          <MoneyFacts
            facts={[
              {
                key: 'fee',
                name: t('money.fee'),
                about: quote?.is_internal ? t('withdrawal.internal_fee') : feeRuleText(rate, plain, presentation),
                value: quote ? <bdi dir="ltr">{`−${plain(quote.fee)}`}</bdi> : blank,
              },
              {
                key: 'receive',
                name: <span data-strong="">{t('withdrawal.receive')}</span>,
                value: <span data-strong="">{quote ? received(quote) : blank}</span>,
                note: quote?.fiat ? rateText(quote.fiat.rate, quote.fiat.currency) : undefined,
              },
              {
                key: 'by',
                name: t('withdrawal.arrives_by'),
                about:
                  rate.median_minutes === null
                    ? undefined
                    : t('withdrawal.median', { time: inMinutes(rate.median_minutes) }),
                value: quote
                  ? moment(quote.promised_at)
                  : t('withdrawal.within', { time: inMinutes(rate.expected_minutes) }),
              },
            ]}
          />
        </div>
        <Checkers rate={rate} people={quote?.people ?? null} />
      </Card>
      {quote?.delayed_until != null && (
        <MoneyNote
          tone="warn"
          icon="clock"
          title={t('withdrawal.delayed_until', { time: moment(quote.delayed_until) })}
        >
          {t(`withdrawal.delay.${quote.delay_reason ?? 'new_payee'}`)}
        </MoneyNote>
      )}
      {quote?.delay_reason === 'restoration' && quote.delayed_until === null && (
        <MoneyNote tone="warn" icon="clock">
          {t('withdrawal.delay.restoration')}
        </MoneyNote>
      )}
      {quote?.is_internal && <MoneyNote tone="success">{t('withdrawal.internal')}</MoneyNote>}
    </>
  );

  function received({ actual_amount: actual, fiat: paid }: WithdrawalQuote): string {
    return paid ? fiat(paid.amount, paid.currency) : usdt(actual);
  }
}

/** The approval steps before the payout. The rule for the number of operators is public. */
function Checkers({ rate, people }: { rate: WithdrawalRate; people: number | null }) {
  const { t, presentation } = useText<'money' | 'withdrawals'>();
  const { usdt } = useMoneyFormats();
  const rule =
    people === null
      ? t('withdrawal.people.rule', { one: usdt(rate.one_person_from), two: usdt(rate.two_people_from) })
      : people === 0
        ? t('withdrawal.people.none', { from: usdt(rate.one_person_from) })
        : people === 1
          ? t('withdrawal.people.one', { from: usdt(rate.one_person_from) })
          : t('withdrawal.people.two', { from: usdt(rate.two_people_from) });
  const steps: { key: string; icon: IconName; label: string }[] = [
    { key: 'held', icon: 'lock', label: t('withdrawal.path.held') },
    ...Array.from({ length: people ?? 0 }, (_, place) => ({
      key: `person ${place}`,
      icon: 'eye' as const,
      label: t('withdrawal.path.person', { number: formatCount(place + 1, presentation) }),
    })),
    { key: 'sent', icon: 'arrow-up', label: t('withdrawal.path.sent') },
  ];
  return (
    <div className="checkers">
      <p className="checkers-rule">{rule}</p>
      {people !== null && (
        <ol className="checkers-path">
          {steps.map(({ key, icon, label }) => (
            <li key={key}>
              <span>
                <Icon name={icon} size={15} />
              </span>
              {label}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
