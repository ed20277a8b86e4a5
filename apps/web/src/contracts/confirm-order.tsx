import { formatPercent } from '@sathorn/text';
import { Button, Checkbox, FactList, Sheet, useText } from '@sathorn/ui';
import { useState } from 'react';
import { assetFigure } from '../parts/market/asset-figure.ts';
import { priceFigure, receivedFigure } from './contract-figures.ts';
import { setContractPreferences } from './contract-preferences.ts';
import { type ContractTicket, isByAmount, isPostOnly } from './contract-ticket.ts';
import { overpaidShare } from './price-distance.ts';
import type { TicketPreview } from './review-ticket.ts';
import './confirm-order.css';

interface ConfirmOrderProps {
  open: boolean;
  code: string;
  ticket: ContractTicket;
  /** Null only while the sheet is closed. */
  preview: TicketPreview | null;
  band: string;
  index: string | null | undefined;
  isPaused: boolean;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Repeats the order before it is sent; the button says exactly what happens. */
export default function ConfirmOrder({ open, onClose, isBusy, ...order }: ConfirmOrderProps) {
  const { t } = useText<'contracts'>();
  // Keeps its content while the sheet slides away.
  const [asked, setAsked] = useState<Omit<ConfirmOrderProps, 'open' | 'onClose' | 'isBusy'>>(order);
  if (open && order.preview && (order.preview !== asked.preview || order.isPaused !== asked.isPaused)) setAsked(order);
  const shown = open && order.preview ? order : asked;
  return (
    <Sheet open={open} onClose={onClose} title={t('contracts.confirm_title', { coin: shown.code })} blocking={isBusy}>
      {shown.preview && <Order {...shown} preview={shown.preview} isBusy={isBusy} onClose={onClose} />}
    </Sheet>
  );
}

function Order({
  code,
  ticket,
  preview,
  band,
  index,
  isPaused,
  isBusy,
  onClose,
  onConfirm,
}: Omit<ConfirmOrderProps, 'open'> & { preview: TicketPreview }) {
  const { t, presentation } = useText<'contracts'>();
  const [isSilenced, setSilenced] = useState(false);
  const isBuy = ticket.side === 'buy';
  const byAmount = isByAmount(ticket);
  const asset = (name: string, text: string) => assetFigure(name, text, presentation);
  const about = (text: string) => t('contracts.about', { amount: text });
  const isMarket = ticket.type === 'market';
  const worse = isMarket ? null : overpaidShare(ticket.side, ticket.price, index);
  const rows = [
    { name: t('contracts.side'), value: t(isBuy ? 'contracts.buy' : 'contracts.sell') },
    {
      name: t('contracts.type'),
      value: t(isMarket ? 'contracts.market' : 'contracts.limit'),
    },
    isMarket
      ? {
          name: t('contracts.average'),
          value: preview.average === null ? '–' : about(priceFigure(code, preview.average, presentation)),
        }
      : { name: t('contracts.price'), value: priceFigure(code, ticket.price, presentation) },
    byAmount
      ? { name: t('contracts.spend'), value: t('contracts.at_most', { amount: asset('USDT', ticket.size) }) }
      : { name: t('contracts.quantity'), value: asset(code, ticket.size) },
    byAmount
      ? { name: t('contracts.quantity'), value: about(asset(code, preview.quantity)) }
      : {
          name: t('contracts.total'),
          value: isMarket ? about(asset('USDT', preview.total)) : asset('USDT', preview.total),
        },
    {
      name: t('contracts.fee', { rate: formatPercent(preview.feeRate, presentation, { minDecimals: 2 }) }),
      value: about(asset(preview.feeAsset, preview.fee)),
    },
    preview.receivedMin === null
      ? { name: t('contracts.receive'), value: about(asset(preview.feeAsset, preview.received)) }
      : {
          name: t('contracts.receive_min'),
          value: receivedFigure(preview.feeAsset, preview.receivedMin, presentation),
        },
    ...(isMarket || (ticket.timeInForce === 'GTC' && !ticket.isPostOnly)
      ? []
      : [
          {
            name: t('contracts.time_in_force'),
            value: isPostOnly(ticket) ? t('contracts.post_only') : t(`contracts.tif.${ticket.timeInForce}`),
          },
        ]),
  ];
  return (
    <>
      <FactList facts={rows} />
      {worse !== null && (
        <p className="confirm-order-worse" role="alert">
          {t(isBuy ? 'contracts.far_above' : 'contracts.far_below', {
            share: formatPercent(worse, presentation, { maxDecimals: 1 }),
          })}
        </p>
      )}
      <p className="confirm-order-note">
        {isMarket
          ? t('contracts.confirm_market', { band })
          : t(isBuy ? 'contracts.confirm_limit_buy' : 'contracts.confirm_limit_sell')}
      </p>
      <Checkbox checked={isSilenced} onChange={setSilenced}>
        {t('contracts.do_not_ask')}
        <span className="cap confirm-order-again">{t('contracts.do_not_ask_note')}</span>
      </Checkbox>
      <div className="stack">
        <Button
          look={isBuy ? 'buy' : 'sell'}
          busy={isBusy}
          disabled={isPaused}
          onClick={() => {
            if (isSilenced) setContractPreferences({ asksFirst: false });
            onConfirm();
          }}
        >
          {byAmount
            ? t('contracts.buy_for', { amount: asset('USDT', ticket.size) })
            : t(isBuy ? 'contracts.buy_coin' : 'contracts.sell_coin', { coin: asset(code, ticket.size) })}
        </Button>
        <Button look="plain" disabled={isBusy} onClick={onClose}>
          {t('shell.cancel')}
        </Button>
      </div>
    </>
  );
}
