import {
  type BoughtOption,
  buyOption,
  type DurationTerms,
  type OptionOrder,
  type RequestOf,
  readBalance,
  readUser,
} from '@sathorn/api';
import type { Failure } from '@sathorn/app/client';
import { encodeForm, readKey, useCall } from '@sathorn/app/client';
import { draftsOf, intentOf } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { serverNow, stream } from '@sathorn/app/stream';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { OrderedOption, PurchaseTimes } from '../parts/evidence/judge-purchase.ts';
import { useTickers } from '../parts/market/tickers.ts';
import { BUZZ_TAKEN_MS, buzz } from '../parts/orders/buzz.ts';
import { holdOrders, justBought, useHeld } from '../parts/orders/holding-orders.ts';
import { drawNonce } from './draw-nonce.ts';
import type { LostPurchase } from './find-lost.ts';

const loadSearch = () => import('./look-for-lost.ts');
const loadEvidence = () => import('./keep-answer.ts');
/** Preloads the search for lost purchases, because it is needed when the connection may be lost. */
export const preloadSearch = (): void => void loadSearch().catch(() => undefined);
/** Preloads the code that stores and checks the terms, and the rules that the terms must name. */
export const preloadEvidence = (): void =>
  void loadEvidence()
    .then(({ prepare }) => prepare())
    .catch(() => undefined);

/** A purchase without an answer: its order is being searched for, or has not been found so far. */
type Doubt = 'unanswered' | 'unanswered_absent';

/** Kept when the customer leaves the page, so that the search continues on return. */
const losses = draftsOf('lost purchase', { lost: null as LostPurchase | null });

/** One attempt with its retries. All have the same nonce, so the server gives all the same answer. */
interface Attempt {
  readonly form: string;
  readonly nonce: string;
  /** Time of the first try by this device's clock. */
  readonly sentMs: number;
  readonly newestTickMs: number | null;
}
const attempts = draftsOf('purchase attempt', { attempt: null as Attempt | null });

/** The terms that the confirmation showed. */
export type Confirmed = Pick<DurationTerms, 'payout' | 'fee'>;

/** Buys an option. Without an answer, it finds out whether the order exists instead of reporting a failure. */
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
      // The ticket also shows the message below its buttons, but these may be off screen.
      showToast(t(`option.${what}`), 'danger', { about: `option ${code}` });
    },
    [t, code],
  );
  const take = useCallback(
    (order: OptionOrder) => {
      // Takes the order as open even if it has ended meanwhile, so that its result is shown too.
      justBought.add(order.id);
      holdOrders([{ ...order, status: 'holding' }]);
      holdOrders([order]);
      showToast(t('option.bought'), 'success', { about: `option ${code}` });
      buzz(BUZZ_TAKEN_MS);
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
      // The message stays, because the outcome is still unknown.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [lost, setLost, settled, take, say]);

  /** Returns null if the option was bought or if the outcome is not known yet. */
  const buy = async (order: RequestOf<typeof buyOption>, confirmed: Confirmed): Promise<Failure | null> => {
    const { byId, done } = useHeld.getState();
    const sentAt = serverNow();
    const known = new Set([...Object.keys(byId), ...done]);
    const attempt = attemptOf(order);
    attempts.change(code, { attempt });
    const answer = await submit(order, { nonce: attempt.nonce });
    const answeredMs = Date.now();
    if (!answer.ok && !answer.isAnswered) {
      setLost({ ...order, sentAt, known });
      say('unanswered');
      return null;
    }
    setLost(null);
    setDoubt(null);
    attempts.change(code, { attempt: null });
    if (!answer.ok) return answer;
    const { sentMs, newestTickMs, nonce } = attempt;
    const offsetMs = stream.clockOffsetMs === 0 ? null : stream.clockOffsetMs;
    const times = { sentMs, answeredMs, offsetMs, newestTickMs };
    // The terms are stored before the purchase is shown, so that the server cannot deny them afterwards.
    await keptWithin(keep(answer.data, { ...order, ...confirmed, nonce }, times));
    const { terms: _, ...bought } = answer.data;
    take(bought);
    return null;
  };

  const attemptOf = (order: RequestOf<typeof buyOption>): Attempt => {
    const form = encodeForm(order);
    const before = attempts.read(code).attempt;
    if (before?.form === form) return before;
    const newest = useTickers.getState()[code];
    const newestTickMs = newest === undefined ? null : Date.parse(newest.at);
    return { form, nonce: drawNonce(), sentMs: Date.now(), newestTickMs };
  };

  return { buy, isBusy, doubt };
}

/** Slow or unavailable storage must not delay showing the order. */
const KEEP_MAX_MS = 1_500;

function keptWithin(keeping: Promise<void>): Promise<void> {
  return Promise.race([
    keeping.catch(() => undefined),
    new Promise<void>((resolve) => {
      setTimeout(resolve, KEEP_MAX_MS);
    }),
  ]);
}

async function keep(bought: BoughtOption, ordered: OrderedOption, times: PurchaseTimes): Promise<void> {
  const { keepAnswer } = await loadEvidence();
  await keepAnswer(bought, ordered, times);
}
