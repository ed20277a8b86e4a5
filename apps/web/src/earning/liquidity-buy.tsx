import { listEarningProducts, quoteSubscription, readEarningBalance } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { Button, Card, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { LateNotes } from '../parts/offer/late-notes.tsx';
import { EarningAmount } from './earning-amount.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amountText, dayText, wholeAmountText } from './figures.ts';
import { LiquidityChanges } from './liquidity-changes.tsx';
import { ClosedNote, EarningFoot, LoadFailed, RulesLink } from './parts.tsx';

/** `#/pages/Liquidity/buy`: the amount, and its effect on the balance and the rate. */
export default function LiquidityBuy() {
  return (
    <EarningTexts>
      <Buy />
    </EarningTexts>
  );
}

function Buy() {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const { query, navigate } = useNavigation();
  const [amount, setAmount] = useState(query.get('amount') ?? '');
  const mine = useRead(readEarningBalance, { type: 'liquidity' }, { freshForMs: 0 });
  const offered = useRead(listEarningProducts, { type: 'liquidity' });
  const quote = useRead(
    quoteSubscription,
    { type: 'liquidity', amount: amount || '0' },
    { enabled: amount !== '', freshForMs: 0 },
  );
  const own = mine.data?.type === 'liquidity' ? mine.data : null;
  const product = offered.data?.type === 'liquidity' ? offered.data : null;
  const quoted = amount !== '' && quote.data?.type === 'liquidity' ? quote.data : null;
  const refused = amount !== '' && quote.error?.failure.isAnswered ? quote.error.failure : null;
  const error = (own ? null : mine.error) ?? (product ? null : offered.error);
  return (
    <>
      <PageBar title={texts.t('screen.liquidity_buy')} trail={<RulesLink type="liquidity" />} />
      {error ? (
        <LoadFailed
          title={failureText(error.failure, texts)}
          onRetry={() => {
            void mine.refetch();
            void offered.refetch();
          }}
        />
      ) : (
        <div className="page">
          <LateNotes pauses={['liquidity']} changes={['liquidity']} consent="earning" />
          {product && <ClosedNote state={product.state} fund={product.fund} />}
          <Card>
            {own && product ? (
              <EarningAmount
                from={t('earning.available', { amount: amountText(own.available, presentation) })}
                value={amount}
                onChange={setAmount}
                available={own.available}
                hint={t('earning.minimum', { min: wholeAmountText(product.min, presentation) })}
                error={refused ? failureText(refused, texts) : undefined}
              />
            ) : (
              <Skeleton height={150} />
            )}
          </Card>
          {quoted && (
            <LiquidityChanges
              quote={quoted}
              note={t('earning.starts', { day: dayText(quoted.start_date, 'date', presentation) })}
            />
          )}
        </div>
      )}
      <EarningFoot>
        <Button
          disabled={!quoted || product?.state !== 'open'}
          onClick={() => navigate('/pages/Liquidity/buyConfirm', { amount })}
        >
          {quoted ? t('earning.continue_amount', { amount: amountText(amount, presentation) }) : t('earning.continue')}
        </Button>
      </EarningFoot>
    </>
  );
}
