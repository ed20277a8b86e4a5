import { Late, renderNothing } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { formatDecimalText } from '@sathorn/text';
import { Button, Sheet, Skeleton, useIsSheetOpen, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { withoutTrailingZeros } from '../parts/market/asset-figure.ts';
import { dismissResult, useHeldOrderStore } from '../parts/orders/held-order-store.ts';
import { VIBRATE_RESULT_MS, vibrateDevice } from '../parts/orders/vibrate-device.ts';
import { ReceiptChecks } from '../parts/receipt/receipt-checks.tsx';
import { useReceiptVerdict } from '../parts/receipt/use-receipt-verdict.ts';
import { optionDrafts } from './option-drafts.ts';
import { ResultView } from './result-view.tsx';
import { useReceipt } from './use-receipt.ts';
import './result-sheet.css';

const loadLatePrice = () => import('./late-price.tsx');

/** Opens when an order of the customer is settled. Shows the result and verifies it on this device. */
export default function ResultSheet({ path }: { path: string | undefined }) {
  const { t, presentation } = useText();
  const { navigate, redirect } = useNavigation();
  const id = useHeldOrderStore((held) => held.results[0] ?? null);
  const { order, isWhole, isFailed, refetch } = useReceipt(id);
  const { verdict, error, retry } = useReceiptVerdict(
    isWhole ? order?.receipt : null,
    order?.name ?? null,
    order ?? null,
  );
  // Does not open over a confirmation sheet. Once open, this sheet itself counts as the open one.
  const [isRaised, setRaised] = useState(false);
  const isSheetOpen = useIsSheetOpen();
  const isUp = id !== null && (isRaised || !isSheetOpen);
  if (isUp !== isRaised) setRaised(isUp);
  const close = () => {
    if (id !== null) dismissResult(id);
  };
  // Scrolls to the top. Otherwise the next result would open at the previous one's position.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (id !== null) top.current?.scrollIntoView();
  }, [id]);
  // The stream has already delivered the result. This read adds the receipt without moving the layout.
  const told = useHeldOrderStore((held) => (id === null ? undefined : held.byId[id]));
  const shown = [order, told].find((known) => known && known.id === id && known.status !== 'holding');
  const seen = isUp ? shown?.id : undefined;
  useEffect(() => {
    if (seen !== undefined) vibrateDevice(VIBRATE_RESULT_MS);
  }, [seen]);
  const repeat = () => {
    if (!shown) return;
    const { name, duration, quantity, direction } = shown;
    close();
    optionDrafts.change(name, { seconds: duration, amount: withoutTrailingZeros(quantity), again: direction });
    if (path === undefined) navigate('/pages/Option/Option', { code: name });
    else redirect(path, { code: name });
  };
  return (
    <Sheet open={isUp} onClose={close} title={t('screen.option_result')} titleUnseen>
      <div className="result-sheet" ref={top}>
        {shown ? (
          <ResultView order={shown} receipt={order?.id === id ? order?.receipt : null} isCounted />
        ) : (
          <Skeleton height={430} />
        )}
        {shown?.late && (
          <Late load={loadLatePrice} failed={renderNothing}>
            {(LatePrice) => <LatePrice order={shown} onDone={() => void refetch()} />}
          </Late>
        )}
        <ReceiptChecks
          key={id}
          isFoldable
          verdict={verdict}
          isFailed={isFailed || error !== null}
          onRetry={() => (isFailed ? refetch() : retry())}
        />
        <Button
          look="plain"
          size="small"
          onClick={() => {
            close();
            navigate('/pages/Option/orderRecord/receipt', { id: id ?? '' });
          }}
        >
          {t('option.open_receipt')}
        </Button>
        <div className="result-buttons">
          <Button look="soft" onClick={close}>
            {t('option.done')}
          </Button>
          {shown && (
            <Button onClick={repeat}>
              {t(shown.direction === 'up' ? 'option.again_up' : 'option.again_down', {
                stake: formatDecimalText(withoutTrailingZeros(shown.quantity), presentation, { maxDecimals: 6 }),
              })}
            </Button>
          )}
        </div>
      </div>
    </Sheet>
  );
}
