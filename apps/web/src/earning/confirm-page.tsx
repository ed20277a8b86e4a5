import { type CallFault, failureText } from '@sathorn/app/client';
import { PageBar } from '@sathorn/app/shell';
import { formatPercent } from '@sathorn/text';
import { Button, Card, type Fact, FactList, Icon, type IconName, Money, Skeleton, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { EarningFoot, LoadFailed } from './parts.tsx';

interface ConfirmPageProps<Quote> {
  quote: Quote | null;
  error: CallFault | null;
  onRetry: () => void;
  icon: IconName;
  title: string;
  /** Shown below the amount. */
  note: string;
  /** Builds the list of facts from a quote; `usual` are the facts that every quote has. */
  facts: (quote: Quote, usual: Readonly<Record<'fee' | 'rate' | 'available', Fact>>) => Fact[];
  button: { label: string; isBusy: boolean; onPress: () => void };
  /** Shown below the facts. */
  children: ReactNode;
}

/** Shows a subscription or a redemption in words, before it is posted. */
export function ConfirmPage<Quote extends { amount: string; rate_after: string; available_after: string }>({
  quote,
  error,
  onRetry,
  icon,
  title,
  note,
  facts,
  button,
  children,
}: ConfirmPageProps<Quote>) {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  return (
    <>
      <PageBar title={t('earning.confirm')} />
      {quote ? (
        <div className="page">
          <Card className="earning-confirm-head">
            <span className="earning-confirm-icon">
              <Icon name={icon} size={28} />
            </span>
            <p className="muted">{title}</p>
            <p className="earning-confirm-amount">
              <Money amount={quote.amount} asset="USDT" exact fitted />
            </p>
            <p className="muted">{note}</p>
          </Card>
          <FactList
            facts={facts(quote, {
              fee: { name: t('earning.fee'), value: <Money amount="0" asset="USDT" /> },
              rate: {
                name: t('earning.your_rate_after'),
                value: formatPercent(quote.rate_after, presentation, { minDecimals: 2, maxDecimals: 2 }),
              },
              available: {
                name: t('earning.available_after'),
                value: <Money amount={quote.available_after} asset="USDT" exact />,
              },
            })}
          />
          {children}
        </div>
      ) : error ? (
        <LoadFailed title={failureText(error.failure, texts)} onRetry={onRetry} />
      ) : (
        <div className="page">
          {[160, 260].map((height) => (
            <Card key={height}>
              <Skeleton height={height} />
            </Card>
          ))}
        </div>
      )}
      <EarningFoot>
        <Button disabled={!quote} busy={button.isBusy} onClick={button.onPress}>
          {button.label}
        </Button>
      </EarningFoot>
    </>
  );
}
