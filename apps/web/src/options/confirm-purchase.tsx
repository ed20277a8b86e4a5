import type { DurationTerms } from '@sathorn/api';
import { formatAsset, formatCount, formatPercent } from '@sathorn/text';
import { Button, Checkbox, FactList, Icon, Money, PriceText, Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';
import { durationLabel } from './duration-label.ts';
import { nextFrame } from './next-frame.ts';
import type { OutcomePreview } from './preview-outcome.ts';
import './confirm-purchase.css';

interface ConfirmPurchaseProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  isBusy: boolean;
  isPaused: boolean;
  code: string;
  price: string | null;
  direction: 'up' | 'down';
  amount: string;
  terms: DurationTerms;
  preview: OutcomePreview;
  /** The customer has switched confirmations off, but a stake of this size still needs one. */
  isAsked: boolean;
  /** Offers to skip the confirmation from now on. */
  last: { isChosen: boolean; choose: (isChosen: boolean) => void } | undefined;
}

/** Repeats all terms before the purchase; the button says exactly what happens. */
export default function ConfirmPurchase({
  open,
  onClose,
  onConfirm,
  isBusy,
  isPaused,
  code,
  price,
  direction,
  amount,
  terms,
  preview,
  isAsked,
  last,
}: ConfirmPurchaseProps) {
  const { t, presentation } = useText();
  const isUp = direction === 'up';
  const stake = formatAsset(amount, 'USDT', presentation, { maxDecimals: 6 });
  const rows = [
    {
      name: t('option.direction'),
      value: (
        <span className={isUp ? 'confirm-side-up' : 'confirm-side-down'}>
          <Icon name={isUp ? 'arrow-up' : 'arrow-down'} size={16} />
          {t(isUp ? 'option.up' : 'option.down')}
        </span>
      ),
    },
    { name: t('option.price_now'), value: <PriceText price={price} /> },
    { name: t('option.duration'), value: durationLabel(terms.seconds, t, presentation) },
    { name: t('option.stake'), value: <Money amount={amount} asset="USDT" exact /> },
    { name: t('option.payout_rate'), value: formatPercent(terms.payout, presentation) },
    {
      name: t('option.fee_of_profit', { rate: formatPercent(terms.fee, presentation) }),
      value: <Money amount={`-${preview.fee}`} exact />,
    },
    { name: t('option.if_win_credited'), value: <Money amount={preview.credit} asset="USDT" exact /> },
    { name: t('option.if_lose'), value: <Money amount={`-${amount}`} asset="USDT" exact /> },
    ...(terms.sale
      ? [
          {
            name: t('option.sale'),
            value: t('option.sale_terms', {
              rate: formatPercent(terms.sale.spread, presentation),
              seconds: formatCount(terms.sale.closed_seconds, presentation),
            }),
          },
        ]
      : []),
  ];
  return (
    <Sheet open={open} onClose={onClose} title={t('option.confirm_title', { coin: code })} blocking={isBusy}>
      <FactList facts={rows} />
      <p className="confirm-note">{t('option.confirm_note')}</p>
      {isAsked && <p className="confirm-note">{t('option.asked_above')}</p>}
      {last && (
        <Checkbox checked={last.isChosen} onChange={last.choose}>
          {t('setting.at_once')}
          <span className="cap">{t('setting.at_once_note')}</span>
        </Checkbox>
      )}
      {/* A swipe that begins on a button would make the panel work before the button's press is shown. */}
      <div className="confirm-buttons" data-base-ui-swipe-ignore="">
        <BuyButton isUp={isUp} isBusy={isBusy} isPaused={isPaused} onBuy={onConfirm}>
          {t(isUp ? 'option.buy_up_amount' : 'option.buy_down_amount', { amount: stake })}
        </BuyButton>
        <Button look="plain" disabled={isBusy} onClick={onClose}>
          {t('shell.cancel')}
        </Button>
      </div>
    </Sheet>
  );
}

interface BuyButtonProps {
  isUp: boolean;
  isBusy: boolean;
  isPaused: boolean;
  onBuy: () => void;
  children: string;
}

/** Shows its press in the next frame and buys after it, because the work of a purchase would delay that frame. */
function BuyButton({ isUp, isBusy, isPaused, onBuy, children }: BuyButtonProps) {
  const [isPressed, setPressed] = useState(false);
  const press = async () => {
    setPressed(true);
    await nextFrame();
    onBuy();
    setPressed(false);
  };
  return (
    <Button look={isUp ? 'buy' : 'sell'} busy={isBusy || isPressed} disabled={isPaused} onClick={() => void press()}>
      {children}
    </Button>
  );
}
