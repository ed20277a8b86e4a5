import { type LockupProduct, listEarningProducts, readEarningBalance } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { formatPercent } from '@sathorn/text';
import { Card, Icon, Money, NavLink, RowButton, Skeleton, useText } from '@sathorn/ui';
import { useAreAmountsHidden } from '../parts/account/hide-amounts-head.tsx';
import { EarningTexts } from './earning-texts.tsx';
import { dayText, percentOfWhole, usdtUnitsOf, wholeAmountText, yearlyRateOf } from './figures.ts';
import { LateDepositsRow } from './late-standing.tsx';
import { EarningHero, FundCard, LegalNote, LoadFailed, ShareBar, StateBadge } from './parts.tsx';

/** `#/pages/Lock-up/Lock-up`: the customer's lock-ups, the yield account, and the products. */
export default function LockupList() {
  return (
    <EarningTexts>
      <Products />
    </EarningTexts>
  );
}

function Products() {
  const { t } = useText<'earning'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const isCustomer = useSession((session) => session.token !== null);
  const isHidden = useAreAmountsHidden();
  const list = useRead(listEarningProducts, { type: 'regular' }, { everyMs: 30_000 });
  const mine = useRead(readEarningBalance, { type: 'regular' }, { enabled: isCustomer, freshForMs: 0 });
  const own = mine.data?.type === 'regular' ? mine.data : null;
  const data = list.data?.type === 'regular' ? list.data : null;

  return (
    <>
      <EarningHero
        title={texts.t('screen.lock_up')}
        trail={<NavLink onPress={() => navigate('/pages/Lock-up/record/record')}>{t('earning.records')}</NavLink>}
      >
        {isCustomer ? (
          <div className="earning-hero-figures">
            <div>
              <p className="earning-hero-caption">{t('earning.locked')}</p>
              <p className="earning-hero-total">
                {own ? (
                  <Money amount={own.invested} asset="USDT" hidden={isHidden} fitted />
                ) : (
                  <Skeleton height={28} width={170} />
                )}
              </p>
            </div>
            {own && own.orders > 0 && (
              <div className="earning-hero-end num">
                <p className="earning-hero-caption">{t('earning.earned_of', { orders: own.orders })}</p>
                <b className="earning-gold">
                  <Money amount={own.earned} exact signed hidden={isHidden} />
                </b>
              </div>
            )}
          </div>
        ) : (
          <p className="earning-hero-lead">{t('earning.lockup_lead')}</p>
        )}
      </EarningHero>
      {list.error && !data ? (
        <LoadFailed title={failureText(list.error.failure, texts)} onRetry={() => void list.refetch()} />
      ) : (
        <div className="page earning-over">
          {data ? (
            <FundCard fund={data.fund} />
          ) : (
            <Card>
              <Skeleton height={92} />
            </Card>
          )}
          <Card tight>
            {data
              ? data.products.map((product) => (
                  <Product
                    key={product.id}
                    product={product}
                    onPress={() => navigate('/pages/Lock-up/productDetails/productDetails', { id: product.id })}
                  />
                ))
              : [0, 1, 2, 3, 4].map((row) => (
                  <div key={row} className="earning-product">
                    <Skeleton height={60} />
                  </div>
                ))}
          </Card>
          {isCustomer && <LateDepositsRow />}
          <LegalNote />
        </div>
      )}
    </>
  );
}

function Product({ product, onPress }: { product: LockupProduct; onPress: () => void }) {
  const { t, presentation } = useText<'earning'>();
  const isOpen = product.state === 'open';
  const [quota, left] = [usdtUnitsOf(product.quota), usdtUnitsOf(product.quota_left)];
  const next = product.upcoming[0];
  return (
    <div className="earning-product" data-closed={isOpen ? undefined : ''}>
      <span className="earning-days num">
        <b>{product.days}</b>
        {t('earning.days_word')}
      </span>
      <div className="earning-product-body">
        <div className="row">
          <RowButton onClick={onPress} className="earning-product-name">
            {t('earning.a_day', { rate: formatPercent(product.daily_rate, presentation, { minDecimals: 3 }) })}
          </RowButton>
          {isOpen ? (
            <span className="num">
              {t('earning.left', { amount: wholeAmountText(product.quota_left, presentation) })}
            </span>
          ) : (
            <StateBadge state={product.state} />
          )}
        </div>
        <p className="muted num">
          {t('earning.year_and_limits', {
            rate: formatPercent(yearlyRateOf(product.daily_rate), presentation, { minDecimals: 2, maxDecimals: 2 }),
            min: wholeAmountText(product.min, presentation),
            max: wholeAmountText(product.max, presentation),
          })}
        </p>
        {isOpen ? (
          <ShareBar share={percentOfWhole(quota - left, quota)} />
        ) : (
          <p className="muted">{t(`earning.why.${product.state as 'closed'}`)}</p>
        )}
        {next && (
          <p className="cap num">
            {t('earning.upcoming_lockup', {
              day: dayText(next.effective_from, 'date', presentation),
              rate: formatPercent(next.daily_rate, presentation, { minDecimals: 3 }),
            })}
          </p>
        )}
      </div>
      <span className="earning-arrow">
        <Icon name="forward" size={15} flip />
      </span>
    </div>
  );
}
