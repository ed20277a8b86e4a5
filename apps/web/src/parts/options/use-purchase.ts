import { buyOption, type OptionOrder, type RequestOf, readBalance, readUser } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { useCall } from '../../client/use-call.ts';
import { readKey } from '../../client/use-read.ts';
import { draftsOf, intentOf } from '../../session/drafts.ts';
import { showToast } from '../../shell/toasts.ts';
import { holdOrders, justBought, useHeld } from '../../stream/holding-orders.ts';
import { serverNow } from '../../stream/live.ts';
import type { LostPurchase } from './find-lost.ts';

const loadSearch = () => import('./look-for-lost.ts');
/** Fetches what is needed just when nothing can be fetched. */
export const preloadSearch = (): void => void loadSearch().catch(() => undefined);

/** What is not known of a purchase that got no answer: still being looked for, or not among the orders so far. */
export type Doubt = 'unanswered' | 'unanswered_absent';

/** Kept while the page is left: it is looked for further when somebody comes back. */
const losses = draftsOf('lost purchase', { lost: null as LostPurchase | null });

/** Buys an option; when no answer came, finds out what became of it instead of claiming that nothing did. */
export function usePurchase(code: string) {
  const { t } = useText();
  const queries = useQueryClient();
  const { submit, settled, isBusy } = useCall(buyOption, {
    tellsLoss: true,
    withoutOverlay: true,
    intent: intentOf(`option ${code}`),
  });
  const { lost } = losses.use(code);
  const setLost = useCallback((lost: LostPurchase | null) => losses.change(code, { lost }), [code]);
  const [doubt, setDoubt] = useState<Doubt | null>(lost && 'unanswered');

  const say = useCallback(
    (what: Doubt) => {
      setDoubt(what);
      // The ticket keeps it under its buttons, which may be where the screen ends.
      showToast(t(`option.${what}`), 'danger', { about: `option ${code}` });
    },
    [t, code],
  );
  const take = useCallback(
    (order: OptionOrder) => {
      // It was open even if it ended before it was found: so its result is shown too.
      justBought.add(order.id);
      holdOrders([{ ...order, status: 'holding' }]);
      holdOrders([order]);
      showToast(t('option.bought'), 'success', { about: `option ${code}` });
      for (const call of [readBalance, readUser]) void queries.invalidateQueries({ queryKey: readKey(call) });
    },
    [queries, t, code],
  );

  useEffect(() => {
    if (!lost) return;
    const events = {
      onFound(order: OptionOrder) {
        setLost(null);
        setDoubt(null);
        settled();
        take(order);
      },
      onAbsent() {
        setLost(null);
        say('unanswered_absent');
      },
    };
    let isOver = false;
    let stop: (() => void) | undefined;
    loadSearch().then(
      ({ lookForLost }) => {
        if (!isOver) stop = lookForLost(lost, events);
      },
      // It stays said that nobody knows.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [lost, setLost, settled, take, say]);

  /** Null when it was bought or when nobody knows yet. */
  const buy = async (order: RequestOf<typeof buyOption>): Promise<Failure | null> => {
    const { byId, done } = useHeld.getState();
    const sentAt = serverNow();
    const known = new Set([...Object.keys(byId), ...done]);
    const answer = await submit(order);
    if (!answer.ok && !answer.isAnswered) {
      setLost({ ...order, sentAt, known });
      say('unanswered');
      return null;
    }
    setLost(null);
    setDoubt(null);
    if (!answer.ok) return answer;
    take(answer.data);
    return null;
  };

  return { buy, isBusy, doubt };
}
