import {
  amendContract,
  amendWaiting,
  type ContractOrder,
  listContracts,
  listWaiting,
  readBalance,
  readContract,
  readWaiting,
  type WaitingOrder,
} from '@sathorn/api';
import { failureText, readQueryKey, useCall } from '@sathorn/app/client';
import { intentKeyOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { COINS, isCoinCode, lotUnits, scaleOf } from '@sathorn/money';
import { AmountField, Button, Sheet, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { sizeOf } from './dealt-share.ts';
import { storeOwnOrders } from './own-order-store.ts';
import { WaitingTexts } from './waiting-texts.tsx';

type AmendSheetProps = {
  open: boolean;
  onClose: () => void;
  /** Called with the id of the order that is there afterwards. */
  onAmended: (id: string) => void;
} & ({ order: ContractOrder; waiting?: never } | { waiting: WaitingOrder; order?: never });

/** Changes a resting order, or one that waits. */
export default function AmendSheet({ open, onClose, ...props }: AmendSheetProps) {
  const { t } = useText<'contracts'>();
  const { id } = props.order ?? props.waiting;
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.change')}>
      <WaitingTexts>
        <Panel key={id} open={open} onClose={onClose} {...props} />
      </WaitingTexts>
    </Sheet>
  );
}

const plain = (text: string | null): string => (text === null ? '' : withoutTrailingZeros(text));

function Panel({ onClose, onAmended, order, waiting }: AmendSheetProps) {
  const { t } = useText<'waiting' | 'contracts'>();
  const texts = useText();
  const queries = useQueryClient();
  const shown = order ?? waiting;
  const { id, code } = shown;
  const was = {
    trigger: plain(waiting?.trigger_price ?? null),
    price: plain(shown.price),
    quantity: plain(order ? sizeOf(order) : waiting.quantity),
  };
  const [draft, setDraft] = useState(was);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const amend = useCall(amendContract, { quiet: true, withoutOverlay: true, intent: intentKeyOf(`amend ${id}`) });
  const amendWait = useCall(amendWaiting, { quiet: true, withoutOverlay: true, intent: intentKeyOf(`amend ${id}`) });
  const coin = isCoinCode(code) ? code : 'BTC';
  const lotScale = scaleOf(coin) - (String(lotUnits(coin)).length - 1);
  const change = (part: Partial<typeof draft>) => {
    setDraft({ ...draft, ...part });
    setErrors({});
  };
  const changed = (name: keyof typeof draft): boolean => draft[name] !== was[name] && draft[name] !== '';
  const part = {
    ...(changed('price') && { price: draft.price }),
    ...(changed('quantity') && { quantity: draft.quantity }),
  };
  const isChanged = changed('trigger') || Object.keys(part).length > 0;

  const send = async () => {
    const answer = order
      ? await amend.submit({ id, ...part })
      : await amendWait.submit({ id, ...part, ...(changed('trigger') && { trigger_price: draft.trigger }) });
    for (const call of [readBalance, listContracts, listWaiting, readContract, readWaiting])
      void queries.invalidateQueries({ queryKey: readQueryKey(call) });
    if (!answer.ok) {
      setErrors(answer.fields);
      const isShown = Object.keys(answer.fields).some((name) => ['price', 'quantity', 'trigger_price'].includes(name));
      if (!isShown && answer.code !== 'session_required')
        showToast(answer.isAnswered ? failureText(answer, texts) : t('contracts.unanswered'), 'danger');
      return;
    }
    if ('dealt_quantity' in answer.data) storeOwnOrders([answer.data]);
    showToast(t('waiting.changed'), 'success');
    onClose();
    onAmended(answer.data.id);
  };

  const field = (name: keyof typeof draft, label: string, unit: string, scale: number, error: string | undefined) => (
    <AmountField
      label={label}
      name={name}
      unit={unit}
      scale={scale}
      value={draft[name]}
      onChange={(value) => change({ [name]: value })}
      faultText={(fault) => t(`amount.${fault}`)}
      error={error}
    />
  );
  return (
    <div className="stack" data-form="">
      {waiting && field('trigger', t('waiting.trigger_price'), 'USDT', COINS[coin].priceDecimals, errors.trigger_price)}
      {was.price !== '' && field('price', t('waiting.limit_price'), 'USDT', COINS[coin].priceDecimals, errors.price)}
      {was.quantity !== '' && field('quantity', t('contracts.quantity'), code, lotScale, errors.quantity)}
      <p className="cap">{t(order ? 'waiting.change_note' : 'waiting.change_waiting_note')}</p>
      <Button busy={amend.isBusy || amendWait.isBusy} disabled={!isChanged} onClick={() => void send()}>
        {t('waiting.save')}
      </Button>
      <Button look="plain" onClick={onClose}>
        {t('shell.cancel')}
      </Button>
    </div>
  );
}
