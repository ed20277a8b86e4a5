import { type OptionOrder, voidOption } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { serverNowMs } from '@sathorn/app/stream';
import { formatAsset, formatDate, formatDecimalText } from '@sathorn/text';
import { Button, Card, CardHead, useText } from '@sathorn/ui';
import { useReceiptText } from '../parts/receipt/use-receipt-text.ts';

/** Says that a late price settled the order, and lets its customer have it void. */
export default function LatePrice({ order, onDone }: { order: OptionOrder; onDone: () => void }) {
  const { presentation } = useText();
  const { t } = useReceiptText(true);
  const having = useCall(voidOption);
  const { late, quantity } = order;
  if (!t || !late) return null;
  const amount = formatAsset(quantity, 'USDT', presentation);
  const time = (at: string) => formatDate(at, 'dateTime', presentation);
  const mayUntil = late.void_until !== null && Date.parse(late.void_until) > serverNowMs() ? late.void_until : null;
  if (late.voided_at === null && mayUntil === null) return null;
  const submit = async () => {
    const answer = await having.submit({ id: order.id });
    if (!answer.ok) return;
    showToast(t('late_price.back'), 'success');
    onDone();
  };
  return (
    <Card>
      <CardHead title={t('late_price.title')} />
      {late.voided_at !== null ? (
        <p className="num">{t('late_price.done', { time: time(late.voided_at), amount })}</p>
      ) : (
        mayUntil !== null && (
          <>
            <p className="num">
              {t('late_price.may', {
                seconds: formatDecimalText((Math.max(late.start_ms, late.end_ms) / 1_000).toFixed(1), presentation),
                time: time(mayUntil),
                amount,
              })}
            </p>
            <Button look="soft" busy={having.isBusy} onClick={() => void submit()}>
              {t('late_price.act')}
            </Button>
          </>
        )
      )}
    </Card>
  );
}
