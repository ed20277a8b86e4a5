import { quoteRedemption, type RedemptionQuote, readEarningBalance } from '@sathorn/api';
import { type CallFault, failureText, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import { formatDate } from '@sathorn/text';
import { Button, Card, Icon, Money, NavLink, Skeleton, useText } from '@sathorn/ui';
import { type ReactNode, useState } from 'react';
import { EarningAmount } from './earning-amount.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { amountText, wholeAmountText } from './figures.ts';
import { LiquidityChanges } from './liquidity-changes.tsx';
import { EarningFoot, LoadFailed } from './parts.tsx';

type Speed = 'quick' | 'normal';

/** `#/pages/Liquidity/sell`: quick and normal redemption, compared side by side. */
export default function LiquiditySell() {
  return (
    <EarningTexts>
      <Sell />
    </EarningTexts>
  );
}

const sentence = (error: CallFault | null, texts: Parameters<typeof failureText>[1]): string | undefined =>
  error?.failure.isAnswered ? failureText(error.failure, texts) : undefined;

function Sell() {
  const { t, presentation } = useText<'earning'>();
  const texts = useText();
  const { query, navigate } = useNavigation();
  const [amount, setAmount] = useState(query.get('amount') ?? '');
  const [speed, setSpeed] = useState<Speed>(query.get('speed') === 'normal' ? 'normal' : 'quick');
  const mine = useRead(readEarningBalance, { type: 'liquidity' }, { freshForMs: 0 });
  const own = mine.data?.type === 'liquidity' ? mine.data : null;
  const isTyped = amount !== '';
  const asked = { amount: amount || '0' };
  const quick = useRead(quoteRedemption, { ...asked, speed: 'quick' }, { enabled: isTyped, freshForMs: 0 });
  const normal = useRead(quoteRedemption, { ...asked, speed: 'normal' }, { enabled: isTyped, freshForMs: 0 });
  const quoteOf = (read: typeof quick): RedemptionQuote | null => (isTyped && read.data ? read.data : null);
  const chosen = quoteOf(speed === 'quick' ? quick : normal);
  // If the quota of quick redemptions is used up, only the quick option shows the fault.
  const fault = isTyped ? sentence(normal.error, texts) : undefined;
  const capFault = isTyped && !fault ? sentence(quick.error, texts) : undefined;
  const quickQuote = quoteOf(quick);
  const normalQuote = quoteOf(normal);

  return (
    <>
      <PageBar
        title={texts.t('screen.liquidity_sell')}
        trail={
          <NavLink onPress={() => navigate('/pages/Liquidity/record', { kind: 'redemption' })}>
            {t('earning.records')}
          </NavLink>
        }
      />
      {mine.error && !own ? (
        <LoadFailed title={failureText(mine.error.failure, texts)} onRetry={() => void mine.refetch()} />
      ) : (
        <div className="page">
          <Card>
            {own ? (
              <EarningAmount
                from={t('earning.in_liquidity_amount', { amount: amountText(own.balance, presentation) })}
                value={amount}
                onChange={setAmount}
                available={own.balance}
                error={fault}
              />
            ) : (
              <Skeleton height={150} />
            )}
          </Card>
          <div className="earning-speeds" role="radiogroup" aria-label={t('earning.speed')}>
            <SpeedCard speed="quick" chosen={speed} onChoose={setSpeed}>
              <Answer name={t('earning.arrives')}>{t('earning.at_once')}</Answer>
              <Answer name={t('earning.interest_today')} tone="loss">
                {quickQuote ? <Money amount={`-${quickQuote.forgone}`} exact /> : '–'}
              </Answer>
              <Answer name={t('earning.left_all')}>{own ? wholeAmountText(own.quick_left, presentation) : '–'}</Answer>
              <p className="cap">{capFault ?? t('earning.quick_why')}</p>
            </SpeedCard>
            <SpeedCard speed="normal" chosen={speed} onChoose={setSpeed}>
              <Answer name={t('earning.arrives')}>
                {normalQuote
                  ? t('earning.by', { time: formatDate(normalQuote.latest_at, 'dayTime', presentation) })
                  : t('earning.within_days', { days: 3 })}
              </Answer>
              <Answer name={t('earning.interest_today')} tone="gain">
                {normalQuote ? <Money amount={normalQuote.kept} exact signed /> : '–'}
              </Answer>
              <Answer name={t('earning.limit')}>{t('earning.no_limit')}</Answer>
              <p className="cap">{t('earning.normal_why')}</p>
            </SpeedCard>
          </div>
          {chosen && (
            <LiquidityChanges
              quote={chosen}
              note={
                Number(chosen.from_fresh) > 0
                  ? t('earning.fresh_first', { amount: amountText(chosen.from_fresh, presentation) })
                  : chosen.rate === chosen.rate_after
                    ? undefined
                    : t('earning.rate_rises')
              }
            />
          )}
        </div>
      )}
      <EarningFoot>
        <Button disabled={!chosen} onClick={() => navigate('/pages/Liquidity/sellConfirm', { amount, speed })}>
          {chosen
            ? t(speed === 'quick' ? 'earning.continue_quick' : 'earning.continue_normal', {
                amount: amountText(amount, presentation),
              })
            : t('earning.continue')}
        </Button>
      </EarningFoot>
    </>
  );
}

function SpeedCard({
  speed,
  chosen,
  onChoose,
  children,
}: {
  speed: Speed;
  chosen: Speed;
  onChoose: (speed: Speed) => void;
  children: ReactNode;
}) {
  const { t } = useText<'earning'>();
  const isChosen = speed === chosen;
  const name = t(speed === 'quick' ? 'earning.quick' : 'earning.normal');
  return (
    <label className="earning-speed" data-chosen={isChosen ? '' : undefined}>
      <span className="earning-speed-head">
        <Icon name={speed === 'quick' ? 'bolt' : 'clock'} size={20} />
        <b>{name}</b>
        <input
          type="radio"
          name="speed"
          value={speed}
          aria-label={name}
          checked={isChosen}
          onChange={() => onChoose(speed)}
        />
      </span>
      {children}
    </label>
  );
}

function Answer({ name, tone, children }: { name: string; tone?: 'gain' | 'loss'; children: ReactNode }) {
  return (
    <span className="earning-answer num">
      <span className="cap">{name}</span>
      <b data-tone={tone}>{children}</b>
    </span>
  );
}
