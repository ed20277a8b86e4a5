import { buyOption, listOptions, type OptionOrder, type RequestOf, readBalance, readUser } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { Failure } from '../../client/answer.ts';
import { callServer } from '../../client/call-server.ts';
import { useCall } from '../../client/use-call.ts';
import { readKey } from '../../client/use-read.ts';
import { showToast } from '../../shell/toasts.ts';
import { holdOrders, useHeld } from '../../stream/holding-orders.ts';
import { serverNow } from '../../stream/live.ts';
import { findLost, type LostPurchase } from './find-lost.ts';

/** Three seconds more than a toast that says that all is well. */
const DOUBT_TOAST_MS = 5_000;
const LOOK_EVERY_MS = 2_000;
/** What reached the server has become an order by then. */
const ABSENT_AFTER_MS = 6_000;

/** What is not known of a purchase that got no answer: still being looked for, or not among the orders so far. */
export type Doubt = 'unanswered' | 'unanswered_absent';

/** Buys an option; when no answer came, finds out what became of it instead of claiming that nothing did. */
export function usePurchase() {
  const { t } = useText();
  const queries = useQueryClient();
  const { submit, settled, isBusy } = useCall(buyOption, { tellsLoss: true });
  const [lost, setLost] = useState<LostPurchase | null>(null);
  const [doubt, setDoubt] = useState<Doubt | null>(null);

  const say = useCallback(
    (what: Doubt) => {
      setDoubt(what);
      // The ticket keeps it under its buttons, which may be where the screen ends.
      showToast(t(`option.${what}`), 'danger', DOUBT_TOAST_MS);
    },
    [t],
  );
  const take = useCallback(
    (order: OptionOrder) => {
      // It was open even if it ended before it was found: so its result is shown too.
      holdOrders([{ ...order, status: 'holding' }]);
      holdOrders([order]);
      showToast(t('option.bought'), 'success');
      for (const call of [readBalance, readUser]) void queries.invalidateQueries({ queryKey: readKey(call) });
    },
    [queries, t],
  );

  useEffect(() => {
    if (!lost) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout>;
    const since = Date.now();
    const look = async () => {
      const askedAt = Date.now();
      const orders = await readOrders(lost.code);
      if (isOver) return;
      const found = orders && findLost(lost, orders);
      if (found) {
        setLost(null);
        setDoubt(null);
        settled();
        take(found);
      } else if (orders && askedAt - since >= ABSENT_AFTER_MS) say('unanswered_absent');
      else timer = setTimeout(look, LOOK_EVERY_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [lost, settled, take, say]);

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

/** Open orders and the newest of the history; undefined while they can't be read. */
async function readOrders(code: LostPurchase['code']): Promise<OptionOrder[] | undefined> {
  const [open, ended] = await Promise.all([
    callServer(listOptions, { status: 'holding', code }),
    callServer(listOptions, { status: 'history', code }),
  ]);
  return open.ok && ended.ok ? [...open.data.items, ...ended.data.items] : undefined;
}
