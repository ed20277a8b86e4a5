import { listContracts, listWaiting, placePair, placeWaiting, readBalance } from '@sathorn/api';
import { type Answer, failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { AmountField, Button, FactList, RadioList, Sheet, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { priceFigure } from './contract-figures.ts';
import { decimalsOf } from './contract-math.ts';
import { storeOwnOrders } from './own-order-store.ts';
import { SegmentedControl } from './segmented-control.tsx';
import type { ContractMarket } from './use-contract-market.ts';
import { WaitingTexts } from './waiting-texts.tsx';
import {
  NEW_WAITING,
  pairRequestOf,
  reviewWaiting,
  WAITING_KINDS,
  type WaitingDraft,
  waitingRequestOf,
} from './waiting-ticket.ts';
import './waiting-sheet.css';

interface WaitingSheetProps {
  open: boolean;
  market: ContractMarket;
  onClose: () => void;
}

/** Orders that wait for the index: stop, take profit, and a pair of both. */
export default function WaitingSheet({ open, market, onClose }: WaitingSheetProps) {
  const { t } = useText<'contracts'>();
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.more_kinds')}>
      <WaitingTexts>
        <Form market={market} onClose={onClose} />
      </WaitingTexts>
    </Sheet>
  );
}

type Field = 'trigger' | 'price' | 'take' | 'quantity';
const FIELDS: Readonly<Record<string, Field>> = {
  trigger_price: 'trigger',
  stop_price: 'price',
  price: 'price',
  quantity: 'quantity',
};

function Form({ market, onClose }: { market: ContractMarket; onClose: () => void }) {
  const texts = useText();
  const { t, presentation } = useText<'waiting' | 'contracts'>();
  const queries = useQueryClient();
  const { code } = market;
  const [draft, setDraft] = useState<WaitingDraft>(NEW_WAITING);
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const balance = useRead(readBalance, { code });
  const isPair = draft.kind === 'pair';
  const intent = intentKeyOf(`waiting ${code} ${draft.kind} ${draft.side}`);
  const wait = useCall(placeWaiting, { quiet: true, withoutOverlay: true, intent });
  const pair = useCall(placePair, { quiet: true, withoutOverlay: true, intent });
  const change = (part: Partial<WaitingDraft>) => {
    setDraft({ ...draft, ...part });
    setErrors({});
  };
  const priceScale = decimalsOf(market.tick);
  const review = reviewWaiting(draft, code, market.index, priceScale);
  const available = draft.side === 'buy' ? balance.data?.usdt_available : balance.data?.available;
  const paid = draft.side === 'buy' ? 'USDT' : code;

  const take = (answer: Answer<unknown>): boolean => {
    if (answer.ok) return true;
    const named = Object.entries(answer.fields).flatMap(([name, says]) => {
      const field = isPair && name === 'price' ? 'take' : FIELDS[name];
      return field === undefined ? [] : [[field, says] as const];
    });
    setErrors(Object.fromEntries(named));
    if (named.length === 0 && answer.code !== 'session_required')
      showToast(answer.isAnswered ? failureText(answer, texts) : t('contracts.unanswered'), 'danger');
    return false;
  };
  const send = async () => {
    if (isPair) {
      const answer = await pair.submit(pairRequestOf(code, draft));
      if (!take(answer)) return;
      if (answer.ok) storeOwnOrders([answer.data.order]);
    } else if (!take(await wait.submit(waitingRequestOf(code, draft)))) return;
    for (const call of [readBalance, listWaiting, listContracts])
      void queries.invalidateQueries({ queryKey: readQueryKey(call) });
    showToast(t('waiting.placed'), 'success');
    setDraft({ ...NEW_WAITING, kind: draft.kind, side: draft.side, type: draft.type });
    onClose();
  };

  const priceField = (field: Field, label: string, value: string, onChange: (price: string) => void, hint?: string) => (
    <AmountField
      label={label}
      name={field}
      unit="USDT"
      scale={priceScale}
      value={value}
      onChange={onChange}
      faultText={(fault) =>
        fault === 'too_fine' ? t('contracts.fault.price_off_tick', { step: market.tick }) : t(`amount.${fault}`)
      }
      error={errors[field] ?? (field === 'trigger' && review.isReached ? t('waiting.reached') : undefined)}
      hint={hint}
    />
  );
  const index =
    market.index === null
      ? undefined
      : t('waiting.index_now', { price: priceFigure(code, market.index, presentation) });
  return (
    <div className="stack waiting-form" data-form="">
      <RadioList
        legend={t('waiting.kind')}
        name="kind"
        value={draft.kind}
        onChange={(kind) => change({ kind })}
        choices={WAITING_KINDS.map((value) => ({
          value,
          label: t(`waiting.kind.${value}`),
          note: t(`waiting.kind.${value}_note`),
        }))}
      />
      <SegmentedControl
        legend={t('contracts.side')}
        value={draft.side}
        onChange={(side) => change({ side })}
        options={[
          { value: 'buy', label: t('contracts.buy'), look: 'buy' },
          { value: 'sell', label: t('contracts.sell'), look: 'sell' },
        ]}
      />
      {isPair &&
        priceField('take', t('waiting.take_price'), draft.takePrice, (takePrice) => change({ takePrice }), index)}
      {priceField(
        'trigger',
        t(isPair ? 'waiting.stop_trigger' : 'waiting.trigger_price'),
        draft.triggerPrice,
        (triggerPrice) => change({ triggerPrice }),
        isPair ? undefined : index,
      )}
      <p className="cap">{t('waiting.then')}</p>
      <SegmentedControl
        legend={t('waiting.then')}
        value={draft.type}
        onChange={(type) => change({ type })}
        options={[
          { value: 'market', label: t('contracts.market') },
          { value: 'limit', label: t('contracts.limit') },
        ]}
      />
      {draft.type === 'limit' &&
        priceField('price', t('waiting.limit_price'), draft.price, (price) => change({ price }))}
      <AmountField
        label={t('contracts.quantity')}
        name="quantity"
        unit={code}
        scale={decimalsOf(market.lot)}
        value={draft.quantity}
        onChange={(quantity) => change({ quantity })}
        available={draft.side === 'sell' ? available : undefined}
        faultText={(fault) =>
          fault === 'too_fine' ? t('contracts.fault.off_lot', { step: market.lot }) : t(`amount.${fault}`)
        }
        error={errors.quantity}
      />
      <FactList
        facts={[
          {
            name: t('contracts.available'),
            value: available === undefined ? '–' : assetFigure(paid, available, presentation),
          },
          {
            name: t('waiting.holds'),
            value: review.held === null ? '–' : assetFigure(review.held.asset, review.held.amount, presentation),
          },
        ]}
      />
      {review.cap !== null && (
        <p className="ticket-note">{t('waiting.cap_note', { cap: priceFigure(code, review.cap, presentation) })}</p>
      )}
      <p className="cap">{t('waiting.index_note')}</p>
      <Button
        look={draft.side}
        busy={wait.isBusy || pair.isBusy}
        disabled={review.held === null || !review.isComplete || review.isReached}
        onClick={() => void send()}
      >
        {t('waiting.place')}
      </Button>
    </div>
  );
}
