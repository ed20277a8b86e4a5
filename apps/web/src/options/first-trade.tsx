import { useNavigation } from '@sathorn/app/navigation';
import { useAreaText } from '@sathorn/app/texts';
import { IconButton } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { OPENING_TEXT_AREA } from '../parts/guide/opening-texts.tsx';
import { useCoins } from '../parts/market/tickers.ts';
import { useHeldOrderStore } from '../parts/orders/held-order-store.ts';
import { openOrdersOf } from '../parts/orders/held-orders.ts';
import { optionDrafts } from './option-drafts.ts';
import './first-trade.css';

const STEPS = ['buy', 'wait', 'check'] as const;
const LAST = STEPS.length - 1;
/** A small stake and the shortest option, so that the result comes soon. */
const FIRST = { seconds: 30, amount: '100' };

/** Guides a new customer through a first option, in a strip above the title that names the next step. */
export default function FirstTrade() {
  const { t } = useAreaText(OPENING_TEXT_AREA, true);
  const { redirect, query } = useNavigation();
  const { data: coins } = useCoins();
  const code = query.get('code') ?? coins?.find(({ options }) => options)?.code;
  useEffect(() => {
    if (code !== undefined) optionDrafts.change(code, FIRST);
  }, [code]);
  const step = useHeldOrderStore((held) => (held.results.length > 0 ? LAST : openOrdersOf(held).length > 0 ? 1 : 0));
  // Closing a result that was read ends the guide instead of starting it again.
  const [reached, setReached] = useState(step);
  if (step > reached) setReached(step);
  const end = useRef(() => {});
  end.current = () => redirect('/pages/Option/Option', { code: query.get('code') ?? undefined });
  const isOver = reached === LAST && step !== LAST;
  useEffect(() => {
    if (isOver) end.current();
  }, [isOver]);
  if (!t) return null;
  return (
    <section className="guide" aria-label={t('guide.title')}>
      <ol aria-hidden="true">
        {STEPS.map((name, place) => (
          <li key={name} data-on={place <= reached ? '' : undefined} />
        ))}
      </ol>
      <p role="status">{t(`guide.${STEPS[reached] ?? 'check'}`)}</p>
      <IconButton icon="cross" size={18} label={t('guide.end')} onClick={() => end.current()} />
    </section>
  );
}
