import { serverNowMs } from '@sathorn/app/stream';
import { formatCount } from '@sathorn/text';
import { Card, Icon, ProgressBar, useText } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { useMoneyFormats } from '../parts/money/use-money.ts';

/** Shows how long the rate still holds. A later payment is not lost but gets the current rate. */
export function RateClock({ from, to }: { from: string; to: string }) {
  const { t, presentation } = useText<'money'>();
  const { second } = useMoneyFormats();
  const end = Date.parse(to);
  const left = useMsUntil(end);
  const share = left / Math.max(1, end - Date.parse(from));
  const seconds = Math.ceil(left / 1000);
  const two = (count: number) => formatCount(count, presentation).padStart(2, formatCount(0, presentation));
  return (
    <Card>
      <div className="row">
        <span className="rate-clock-name">
          <Icon name="clock" size={18} />
          <b>{t(left > 0 ? 'deposit.clock' : 'deposit.clock_over')}</b>
        </span>
        {left > 0 && (
          <b className="rate-clock-left num" role="timer" aria-live="off">
            <bdi dir="ltr">
              {two(Math.floor(seconds / 60))}:{two(seconds % 60)}
            </bdi>
          </b>
        )}
      </div>
      {left > 0 && (
        <div className="rate-clock-bar">
          <ProgressBar share={Math.min(1, share)} label={t('deposit.clock')} />
        </div>
      )}
      <p className="cap num">
        {left > 0 ? t('deposit.clock_until', { time: second(to) }) : t('deposit.clock_over_lead')}
      </p>
    </Card>
  );
}

/** Ms until a moment by the server's clock, at least 0; updates every second. */
function useMsUntil(end: number): number {
  const [left, setLeft] = useState(() => Math.max(0, end - serverNowMs()));
  useEffect(() => {
    const timer = setInterval(() => {
      const now = Math.max(0, end - serverNowMs());
      setLeft(now);
      if (now === 0) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [end]);
  return left;
}
