import { readWaiting } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { useSession } from '@sathorn/app/session';
import { useTopic } from '@sathorn/app/stream';
import { formatDate } from '@sathorn/text';
import { Badge, Button, Card, CardHead, CoinMark, ErrorState, ListRow, Skeleton, useText } from '@sathorn/ui';
import { useCallback, useState } from 'react';
import { LateKeptLine } from '../parts/evidence/late-kept-line.tsx';
import { LateOrderMark } from '../parts/evidence/late-order-mark.tsx';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { priceFigure } from './contract-figures.ts';
import { ContractTexts } from './contract-texts.tsx';
import type { ReadWaiting } from './read-waiting.ts';
import { TriggerCheck } from './trigger-check.tsx';
import { useRevokeWaiting } from './use-revoke-waiting.ts';
import { WAITING_TONES } from './waiting-row.tsx';
import { WaitingTexts } from './waiting-texts.tsx';
import './order-details.css';
import './ticket-form.css';
import './waiting-details.css';

const loadAmend = () => import('./amend-sheet.tsx');
const WHYS = ['no_liquidity', 'beyond_price_band', 'fok_not_fillable', 'post_only_would_cross'] as const;

/** `#/pages/contracts/waitingDetails`: one order that waits or waited, and the tick that triggered it. */
export default function WaitingDetailsScreen() {
  return (
    <ContractTexts>
      <WaitingTexts>
        <Details />
      </WaitingTexts>
    </ContractTexts>
  );
}

function Details() {
  const { t } = useText<'waiting' | 'contracts'>();
  const texts = useText();
  const { query, redirect, navigate } = useNavigation();
  const id = query.get('id') ?? '';
  const isCustomer = useSession((session) => session.token !== null);
  const { data, error, refetch } = useRead(readWaiting, { id }, { freshForMs: 0, everyMs: 30_000, enabled: id !== '' });
  const { revoke, revoking } = useRevokeWaiting();
  const [isAmending, setAmending] = useState(false);
  const again = useCallback(() => void refetch(), [refetch]);
  useTopic(isCustomer ? 'waiting' : null, again);
  const closeAmend = () => setAmending(false);

  if (id === '' || (error && !data))
    return (
      <div className="page">
        <Card>
          <ErrorState
            title={error ? failureText(error.failure, texts) : t('contracts.detail.not_loaded')}
            action={
              id === '' || error?.failure.isAnswered
                ? { label: texts.t('screen.contract_orders'), onPress: () => redirect('/pages/contracts/orderList') }
                : { label: texts.t('shell.try_again'), onPress: again }
            }
          />
        </Card>
      </div>
    );
  if (!data)
    return (
      <div className="page">
        <Card>
          <Skeleton height={120} />
        </Card>
        <Card>
          <Skeleton height={320} />
        </Card>
      </div>
    );
  const isWaiting = data.status === 'waiting';
  return (
    <div className="page">
      <WaitingDetails order={data} />
      {isWaiting && data.pair === null && (
        <Button look="soft" onClick={() => setAmending(true)}>
          {t('waiting.change')}
        </Button>
      )}
      {isWaiting && (
        <Button look="danger" busy={revoking === data.id} onClick={() => void revoke(data).then(again)}>
          {t('contracts.revoke')}
        </Button>
      )}
      <Button
        look={isWaiting ? 'soft' : 'brand'}
        onClick={() => navigate('/pages/contracts/contracts', { code: data.code })}
      >
        {t('contracts.start_trading')}
      </Button>
      <Late load={loadAmend} sheet={{ open: isAmending, onClose: closeAmend }}>
        {(AmendSheet) => (
          <AmendSheet
            open={isAmending}
            waiting={data}
            onClose={closeAmend}
            onAmended={(next) => redirect('/pages/contracts/waitingDetails', { id: next })}
          />
        )}
      </Late>
    </div>
  );
}

function WaitingDetails({ order }: { order: ReadWaiting }) {
  const { t, presentation } = useText<'waiting' | 'contracts'>();
  const { navigate } = useNavigation();
  const { code } = order;
  const isBuy = order.side === 'buy';
  const asset = (name: string, text: string) => assetFigure(name, text, presentation);
  const price = (text: string) => priceFigure(code, text, presentation);
  const time = (at: string) => formatDate(at, 'dateTimeSeconds', presentation);
  const why = WHYS.find((known) => known === order.refusal) ?? 'other';
  const waits = order.pair === null ? 'waiting' : 'waiting_pair';
  const story =
    order.status === 'cancelled' ? (order.reason ?? 'revoked') : order.status === 'waiting' ? waits : order.status;
  return (
    <>
      <Card className="order-hero">
        <p className="order-hero-title">
          <CoinMark code={code} />
          <b className={isBuy ? 'order-buy' : 'order-sell'}>
            {t(isBuy ? 'contracts.buy_coin' : 'contracts.sell_coin', { coin: code })}
          </b>
          <Badge tone={WAITING_TONES[order.status]}>{t(`waiting.status.${order.status}`)}</Badge>
        </p>
        <p>
          {t(`waiting.story.${story}`, {
            price: price(order.tick?.price ?? order.trigger_price),
            held: asset(order.held_asset, order.held),
          })}
          {order.status === 'refused' && ` ${t(`waiting.why.${why}`)}`}
        </p>
      </Card>
      <Card tight>
        <ListRow title={t('waiting.kind')} value={<b>{t(`waiting.kind.${order.trigger}`)}</b>} />
        <ListRow
          title={t('waiting.trigger_price')}
          value={
            <b>
              <bdi>{t(`waiting.when_${order.trigger_when}`, { price: price(order.trigger_price) })}</bdi>
            </b>
          }
        />
        <ListRow
          title={t('waiting.then')}
          value={
            <b>{order.price === null ? t('contracts.market') : `${t('contracts.limit')} ${price(order.price)}`}</b>
          }
        />
        <ListRow
          title={t(order.quantity === null ? 'contracts.spend' : 'contracts.quantity')}
          value={
            <b>
              <bdi>{order.quantity === null ? asset('USDT', order.amount ?? '0') : asset(code, order.quantity)}</bdi>
            </b>
          }
        />
        {/[1-9]/.test(order.held) && (
          <ListRow
            title={t('contracts.detail.held')}
            value={
              <b>
                <bdi>{asset(order.held_asset, order.held)}</bdi>
              </b>
            }
          />
        )}
      </Card>
      {order.tick && (
        <Card>
          <CardHead title={t('waiting.tick_title')} />
          <ListRow title={t('contracts.price')} value={<b className="num">{price(order.tick.price)}</b>} />
          <ListRow title={t('waiting.tick_at')} value={time(order.tick.at)} />
          <ListRow title={t('waiting.tick_number')} value={<bdi className="mono">{order.tick.sequence}</bdi>} />
          <TriggerCheck order={order} />
        </Card>
      )}
      <LateKeptLine about="waiting" id={order.id} />
      <LateOrderMark id={order.id} />
      <Card tight>
        {order.order && (
          <ListRow
            title={t('waiting.order')}
            note={<bdi className="mono">{order.order}</bdi>}
            onPress={() => navigate('/pages/contracts/orderDetails', { id: order.order ?? '' })}
          />
        )}
        {order.pair && (
          <ListRow
            title={t('waiting.pair')}
            note={<bdi className="mono">{order.pair}</bdi>}
            onPress={() => navigate('/pages/contracts/orderDetails', { id: order.pair ?? '' })}
          />
        )}
        {order.replaces && (
          <ListRow title={t('contracts.detail.replaces')} note={<bdi className="mono">{order.replaces}</bdi>} />
        )}
        <ListRow title={t('waiting.armed_at')} value={time(order.armed_at)} />
        <ListRow title={t('contracts.detail.placed_at')} value={time(order.created_at)} />
        <ListRow title={t('contracts.detail.updated_at')} value={time(order.updated_at)} />
        <ListRow title={t('contracts.detail.number')} note={<bdi className="mono">{order.id}</bdi>} />
      </Card>
    </>
  );
}
