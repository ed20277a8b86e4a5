import { listRecurring, type Recurring } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { formatCount, formatDate } from '@sathorn/text';
import { Badge, Button, Card, CoinMark, EmptyState, ListRow, useText } from '@sathorn/ui';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { RecurringDetails } from './recurring-details.tsx';
import { RECURRING_TONES, whenValues } from './recurring-figures.ts';
import { RecurringTexts } from './recurring-texts.tsx';

/** `#/pages/contracts/recurring`: the customer's regular purchases, or the one with an `id`. */
export default function RecurringScreen() {
  const { query } = useNavigation();
  const id = query.get('id');
  return <RecurringTexts>{id === null ? <List /> : <RecurringDetails id={id} />}</RecurringTexts>;
}

function List() {
  const { t } = useText<'recurring'>();
  const list = useRead(listRecurring, {}, { freshForMs: 0, everyMs: 30_000 });
  const { navigate } = useNavigation();
  if (!list.data) return <PageNotLoaded read={list} failed={t('recurring.not_loaded')} rows={4} />;
  const { items } = list.data;
  return (
    <div className="page">
      {items.length === 0 ? (
        <Card>
          <EmptyState title={t('recurring.none')}>{t('recurring.none_lead')}</EmptyState>
        </Card>
      ) : (
        <Card tight>
          {items.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </Card>
      )}
      <Button look={items.length === 0 ? 'brand' : 'soft'} onClick={() => navigate('/pages/contracts/contracts')}>
        {t('recurring.to_market')}
      </Button>
    </div>
  );
}

function Row({ item }: { item: Recurring }) {
  const { t, presentation } = useText<'recurring'>();
  const { navigate } = useNavigation();
  const { code, status, next_at: next } = item;
  return (
    <ListRow
      lead={<CoinMark code={code} />}
      title={
        <>
          <b>{code}</b> <bdi>{assetFigure('USDT', item.amount, presentation)}</bdi>
        </>
      }
      note={
        <>
          {t(`recurring.when.${item.every}`, whenValues(item, presentation))}
          <br />
          {next === null
            ? `${t('recurring.bought')} ${formatCount(item.bought, presentation)}`
            : `${t('recurring.next')} ${formatDate(next, 'dayTime', presentation)}`}
        </>
      }
      value={<Badge tone={RECURRING_TONES[status]}>{t(`recurring.status.${status}`)}</Badge>}
      onPress={() => navigate('/pages/contracts/recurring', { id: item.id })}
    />
  );
}
