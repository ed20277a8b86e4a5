import type { LiquiditySubscriptionQuote, RedemptionQuote } from '@sathorn/api';
import { formatPercent } from '@sathorn/text';
import { Card, Money, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';

interface LiquidityChangesProps {
  quote: LiquiditySubscriptionQuote | RedemptionQuote;
  note?: ReactNode;
}

/** Shows the values before and after a subscription or a redemption. */
export function LiquidityChanges({ quote, note }: LiquidityChangesProps) {
  const { t, presentation } = useText<'earning'>();
  const money = (amount: string) => <Money amount={amount} exact />;
  const percent = (rate: string) => formatPercent(rate, presentation, { minDecimals: 2, maxDecimals: 2 });
  const changes: readonly [string, ReactNode, ReactNode][] = [
    [t('earning.in_liquidity'), money(quote.balance), money(quote.balance_after)],
    [t('earning.your_rate'), percent(quote.rate), percent(quote.rate_after)],
    [t('earning.available_word'), money(quote.available), money(quote.available_after)],
  ];
  return (
    <Card>
      <h2 className="earning-card-title">{t('earning.changes')}</h2>
      <table className="earning-changes num">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t('earning.changes')}</span>
            </th>
            <th scope="col">{t('earning.now')}</th>
            <th scope="col">{t('earning.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(([name, now, after]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{now}</td>
              <td>
                <b>{after}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {note && <p className="cap">{note}</p>}
    </Card>
  );
}
