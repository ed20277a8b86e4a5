import { formatDecimal, parseDecimal } from '@sathorn/money';
import { Money } from '@sathorn/ui';
import { useEffect, useState } from 'react';

const COUNT_MS = 400;
const USDT_SCALE = 6;

/** An amount that counts up from zero, unless the customer prefers reduced motion. */
export function CountedAmount({ amount }: { amount: string }) {
  const [thousandths, setThousandths] = useState(() =>
    matchMedia('(prefers-reduced-motion: reduce)').matches ? 1000n : 0n,
  );
  useEffect(() => {
    const since = performance.now();
    let frame = requestAnimationFrame(function count(now) {
      const share = Math.min(1, Math.max(0, (now - since) / COUNT_MS));
      setThousandths((reached) => (reached === 1000n ? reached : BigInt(Math.round(1000 * (1 - (1 - share) ** 3)))));
      if (share < 1) frame = requestAnimationFrame(count);
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const whole = parseDecimal(amount, USDT_SCALE);
  // Cents are precise enough while the figure is counting.
  const shown =
    thousandths === 1000n || whole === undefined
      ? amount
      : formatDecimal(((whole * thousandths) / 1000n / 10_000n) * 10_000n, USDT_SCALE);
  return <Money amount={shown} asset="USDT" signed toned exact fitted />;
}
