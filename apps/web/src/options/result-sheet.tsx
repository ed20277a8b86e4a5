import { useNavigation } from '@sathorn/app/navigation';
import { Button, Sheet, Skeleton, useIsSheetOpen, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { dismissResult, useHeld } from '../parts/orders/holding-orders.ts';
import { Checks } from '../parts/receipt/checks.tsx';
import { useVerdict } from '../parts/receipt/use-verdict.ts';
import { ResultView } from './result-view.tsx';
import { useReceipt } from './use-receipt.ts';
import './result-sheet.css';

/** Opens when an order of this customer is settled: shows the result and its verification on this device. */
export default function ResultSheet() {
  const { t } = useText();
  const { navigate } = useNavigation();
  const id = useHeld((held) => held.results[0] ?? null);
  const { order, isWhole, isFailed, refetch } = useReceipt(id);
  const { verdict, error, retry } = useVerdict(isWhole ? order?.receipt : null, order?.name ?? null, order ?? null);
  // Not over a confirmation sheet. Once open, it is itself the open sheet.
  const [isRaised, setRaised] = useState(false);
  const isSheetOpen = useIsSheetOpen();
  const isUp = id !== null && (isRaised || !isSheetOpen);
  if (isUp !== isRaised) setRaised(isUp);
  const close = () => {
    if (id !== null) dismissResult(id);
  };
  // Scrolls to the top, because the next result would otherwise open at the previous one's position.
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (id !== null) top.current?.scrollIntoView();
  }, [id]);
  // The stream has already delivered the result. The read adds the receipt without moving the layout.
  const told = useHeld((held) => (id === null ? undefined : held.byId[id]));
  const shown = [order, told].find((known) => known && known.id === id && known.status !== 'holding');
  return (
    <Sheet open={isUp} onClose={close} title={t('screen.option_result')} titleUnseen>
      <div className="result-sheet" ref={top}>
        {shown ? <ResultView order={shown} /> : <Skeleton height={486} />}
        <Checks
          key={id}
          verdict={verdict}
          isFailed={isFailed || error !== null}
          onRetry={() => (isFailed ? refetch() : retry())}
        />
        <Button onClick={close}>{t('option.trade_again')}</Button>
        <Button
          look="soft"
          onClick={() => {
            close();
            navigate('/pages/Option/orderRecord/receipt', { id: id ?? '' });
          }}
        >
          {t('option.open_receipt')}
        </Button>
      </div>
    </Sheet>
  );
}
