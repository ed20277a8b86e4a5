import { type LiquidityBalance, type LiquidityProduct, listEarningProducts, readEarningBalance } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDate, formatPercent } from '@sathorn/text';
import { Button, Card, Icon, ListRow, Money, NavLink, Skeleton, useText } from '@sathorn/ui';
import { useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { LateKeptLine } from '../parts/evidence/late-kept-line.tsx';
import { LateNotes } from '../parts/offer/late-notes.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { addDays, amountText, dayText, percentOfWhole, usdtTextOf, usdtUnitsOf, wholeAmountText } from './figures.ts';
import { IncomeChart } from './income-chart.tsx';
import { LateDepositsRow } from './late-standing.tsx';
import {
  ClosedNote,
  EarningFoot,
  EarningHero,
  FundCard,
  LegalNote,
  LoadFailed,
  RulesLink,
  ShareBar,
} from './parts.tsx';
import { useEarningRefresh } from './use-earning-refresh.ts';

/** `#/pages/Liquidity/Liquidity`: the balance by stages, its income, and today's movements. */
export default function LiquidityHome() {
  return (
    <EarningTexts>
      <Liquidity />
    </EarningTexts>
  );
}

function Liquidity() {
  const { t } = useText<'earning'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const isHidden = useAreAmountsHidden();
  useEarningRefresh();
  const mine = useRead(readEarningBalance, { type: 'liquidity' }, { freshForMs: 0, everyMs: 60_000 });
  const offered = useRead(listEarningProducts, { type: 'liquidity' }, { everyMs: 30_000 });
  const own = mine.data?.type === 'liquidity' ? mine.data : null;
  const product = offered.data?.type === 'liquidity' ? offered.data : null;
  const error = (own ? null : mine.error) ?? (product ? null : offered.error);

  return (
    <>
      <EarningHero
        title={texts.t('screen.liquidity')}
        trail={<NavLink onPress={() => navigate('/pages/Liquidity/record')}>{t('earning.records')}</NavLink>}
      >
        <div className="earning-hero-figures">
          <div>
            <p className="earning-hero-caption">{t('earning.balance')}</p>
            <p className="earning-hero-total">
              {own ? (
                <Money amount={own.balance} asset="USDT" hidden={isHidden} fitted />
              ) : (
                <Skeleton height={28} width={190} />
              )}
            </p>
          </div>
          <div className="earning-hero-end num">
            <p className="earning-hero-caption">{t('earning.yesterday')}</p>
            <b className="earning-gold">
              {own ? (
                <Money amount={own.yesterday} exact signed hidden={isHidden} />
              ) : (
                <Skeleton height={18} width={84} />
              )}
            </b>
          </div>
        </div>
      </EarningHero>
      {error ? (
        <LoadFailed
          title={failureText(error.failure, texts)}
          onRetry={() => {
            void mine.refetch();
            void offered.refetch();
          }}
        />
      ) : own && product ? (
        <Cards own={own} product={product} isHidden={isHidden} />
      ) : (
        <div className="page earning-over">
          {[100, 180, 64, 96].map((height) => (
            <Card key={height}>
              <Skeleton height={height} />
            </Card>
          ))}
        </div>
      )}
      <EarningFoot>
        <Button
          look="soft"
          disabled={!own || usdtUnitsOf(own.balance) === 0n}
          onClick={() => navigate('/pages/Liquidity/sell')}
        >
          {t('earning.redeem')}
        </Button>
        <Button disabled={product?.state !== 'open'} onClick={() => navigate('/pages/Liquidity/buy')}>
          {t('earning.subscribe')}
        </Button>
      </EarningFoot>
    </>
  );
}

function Cards({ own, product, isHidden }: { own: LiquidityBalance; product: LiquidityProduct; isHidden: boolean }) {
  const { t, presentation } = useText<'earning'>();
  const { navigate } = useNavigation();
  const total = own.days.reduce((sum, { income }) => sum + usdtUnitsOf(income), 0n);
  const hasMoved = usdtUnitsOf(own.today_in) > 0n || usdtUnitsOf(own.today_out) > 0n;
  return (
    <div className="page earning-over">
      <LateNotes pauses={['liquidity']} changes={['liquidity']} />
      <ClosedNote state={product.state} fund={product.fund} />
      <StagesCard own={own} product={product} />
      {own.terms && <LateKeptLine about="liquidity_terms" id={String(own.terms.version)} />}
      <Card>
        <div className="row">
          <h2 className="earning-card-title">{t('earning.thirty_days')}</h2>
          <b className="earning-gain num">
            <Money amount={usdtTextOf(total)} exact signed hidden={isHidden} />
          </b>
        </div>
        <IncomeChart days={own.days} />
        <p className="row earning-line num">
          <span className="muted">{t('earning.cumulative')}</span>
          <b>
            <Money amount={own.cumulative} asset="USDT" exact hidden={isHidden} />
          </b>
        </p>
      </Card>
      {hasMoved && (
        <Card className="earning-two num">
          <div>
            <p className="muted">{t('earning.today_in')}</p>
            <b>
              <Money amount={own.today_in} exact hidden={isHidden} />
            </b>
            {usdtUnitsOf(own.today_in) > 0n && (
              <p className="cap">
                {t('earning.earns_from', { day: dayText(addDays(own.today, 1), 'day', presentation) })}
              </p>
            )}
          </div>
          <div>
            <p className="muted">{t('earning.today_out')}</p>
            <b>
              <Money amount={own.today_out} exact hidden={isHidden} />
            </b>
          </div>
        </Card>
      )}
      {own.redemptions.length > 0 && (
        <Card tight>
          {own.redemptions.map((one) => (
            <ListRow
              key={one.id}
              icon="clock"
              title={t('earning.pending_title', { amount: amountText(one.amount, presentation) })}
              note={t('earning.pending_by', {
                time: formatDate(one.latest_at ?? one.at, 'dayTime', presentation),
              })}
              onPress={() => navigate('/pages/Liquidity/record', { kind: 'redemption' })}
            />
          ))}
        </Card>
      )}
      <Card>
        <p className="row num">
          <b>{t('earning.quick_left')}</b>
          <b className="earning-whole">{wholeAmountText(own.quick_left, presentation)}</b>
        </p>
        <ShareBar share={percentOfWhole(usdtUnitsOf(own.quick_left), usdtUnitsOf(own.quick_cap))} />
        <p className="cap num">{t('earning.quick_of', { amount: wholeAmountText(own.quick_cap, presentation) })}</p>
      </Card>
      <FundCard fund={product.fund} />
      <p className="earning-rules-line">
        <RulesLink type="liquidity" />
      </p>
      <LateDepositsRow />
      <LegalNote />
    </div>
  );
}

/** Shows the balance split into its stages, to explain the blended rate. */
function StagesCard({ own, product }: { own: LiquidityBalance; product: LiquidityProduct }) {
  const { t, presentation } = useText<'earning'>();
  const balance = usdtUnitsOf(own.balance);
  const parts = product.stages.map(({ from, rate }, n) => {
    const start = usdtUnitsOf(from);
    const end = product.stages[n + 1] ? usdtUnitsOf(product.stages[n + 1]?.from ?? '0') : null;
    const top = end === null || balance < end ? balance : end;
    return { from, rate, start, end, part: top > start ? top - start : 0n };
  });
  const next = product.upcoming[0];
  const percent = (rate: string) => formatPercent(rate, presentation, { minDecimals: 2, maxDecimals: 2 });
  return (
    <Card>
      <div className="row num">
        <h2 className="earning-card-title">{t('earning.a_year', { rate: percent(own.rate) })}</h2>
        <span className="muted">{t('earning.on_balance')}</span>
      </div>
      <div className="earning-stages num">
        {parts.map(({ from, rate, start, end, part }, n) => (
          <div key={from} data-stage={n}>
            <ShareBar share={end === null ? (part > 0n ? 100 : 0) : percentOfWhole(part, end - start)} tone="brand" />
            <b>{percent(rate)}</b>
            <span className="cap">
              {end === null
                ? t('earning.stage_above', { from: wholeAmountText(from, presentation) })
                : t('earning.stage_to', { to: wholeAmountText(usdtTextOf(end), presentation) })}
            </span>
          </div>
        ))}
      </div>
      {next && (
        <p className="cap earning-upcoming num">
          <Icon name="calendar" size={14} />{' '}
          {t('earning.upcoming_stages', {
            day: dayText(next.effective_from, 'date', presentation),
            rates: next.stages.map(({ rate }) => percent(rate)).join(' / '),
          })}
        </p>
      )}
    </Card>
  );
}
