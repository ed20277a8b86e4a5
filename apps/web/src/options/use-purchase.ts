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
import { encodeForm, readQueryKey, useCall } from '@sathorn/app/client';
import { intentKeyOf, openDrafts } from '@sathorn/app/session';
import { showToast } from '@sathorn/app/shell';
import { serverNowMs, stream } from '@sathorn/app/stream';
import type { PurchaseTimes } from '@sathorn/proof';
import { useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { OrderedOption } from '../parts/evidence/judge-purchase.ts';
import { useTickers } from '../parts/market/tickers.ts';
import { justBoughtIds, storeHeldOrders, useHeldOrderStore } from '../parts/orders/held-order-store.ts';
import { VIBRATE_TAKEN_MS, vibrateDevice } from '../parts/orders/vibrate-device.ts';
import { drawNonce } from './draw-nonce.ts';
import type { LostPurchase } from './find-lost-purchase.ts';

const loadSearch = () => import('./search-lost-purchase.ts');
const loadEvidence = () => import('./keep-purchase-answer.ts');
/** Preloads the search for lost purchases, because it is needed when the connection may be lost. */
export const preloadLostPurchaseSearch = (): void => void loadSearch().catch(() => undefined);
/** Preloads the code that stores and checks the terms, and the rules that the terms must name. */
export const preloadEvidence = (): void =>
  void loadEvidence()
    .then(({ prepareEvidence }) => prepareEvidence())
    .catch(() => undefined);

/** A purchase without an answer: its order is being searched for, or has not been found so far. */
type UnansweredState = 'unanswered' | 'unanswered_absent';

/** Kept when the customer leaves the page, so that the search continues on return. */
const losses = openDrafts('lost purchase', { lost: null as LostPurchase | null });

/** One attempt with its retries. All have the same nonce, so the server gives all the same answer. */
interface Attempt {
  readonly form: string;
  /** `latest` is by the server's clock, and absent while that is unknown. */
  readonly signed: { readonly nonce: string; readonly latest?: string };
  /** Time of the first try by this device's clock. */
  readonly sentMs: number;
  readonly newestTickMs: number | null;
}
const attempts = openDrafts('purchase attempt', { attempt: null as Attempt | null });

/** The terms that the confirmation showed. */
export type ConfirmedTerms = Pick<DurationTerms, 'payout' | 'fee'>;

/** Buys an option. Without an answer, it finds out whether the order exists instead of reporting a failure. */
export function usePurchase(code: string) {
  const { t } = useText();
  const queries = useQueryClient();
  const { submit, settled, isBusy } = useCall(buyOption, {
    tellsLoss: true,
    withoutOverlay: true,
    intent: intentKeyOf(`option ${code}`),
  });
  const { lost } = losses.use(code);
  const setLost = useCallback((lost: LostPurchase | null) => losses.change(code, { lost }), [code]);
  const [doubt, setDoubt] = useState<UnansweredState | null>(lost && 'unanswered');

  const say = useCallback(
    (what: UnansweredState) => {
      setDoubt(what);
      // The ticket also shows the message below its buttons, but these may be off screen.
      showToast(t(`option.${what}`), 'danger', { about: `option ${code}` });
    },
    [t, code],
  );
  const take = useCallback(
    (order: OptionOrder) => {
      // Takes the order as open even if it has ended meanwhile, so that its result is shown too.
      justBoughtIds.add(order.id);
      storeHeldOrders([{ ...order, status: 'holding' }]);
      storeHeldOrders([order]);
      showToast(t('option.bought'), 'success', { about: `option ${code}` });
      vibrateDevice(VIBRATE_TAKEN_MS);
      for (const call of [readBalance, readUser]) void queries.invalidateQueries({ queryKey: readQueryKey(call) });
    },
    [queries, t, code],
  );

  useEffect(() => {
    if (!lost) return;
    const forget = () => {
      settled();
      attempts.change(code, { attempt: null });
    };
    const events = {
      onFound(order: OptionOrder) {
        setLost(null);
        setDoubt(null);
        forget();
        take(order);
      },
      onAbsent() {
        setLost(null);
        // Its latest acceptance has passed, so it can't be bought any more, and the next tap is a new order.
        if (attempts.read(code).attempt?.signed.latest !== undefined) forget();
        say('unanswered_absent');
      },
    };
    let isOver = false;
    let stop: (() => void) | undefined;
    loadSearch().then(
      ({ searchLostPurchase }) => {
        if (!isOver) stop = searchLostPurchase(lost, events);
      },
      // The message stays, because the outcome is still unknown.
      () => undefined,
    );
    return () => {
      isOver = true;
      stop?.();
    };
  }, [lost, setLost, settled, take, say, code]);

  /** Returns null if the option was bought or if the outcome is not known yet. */
  const buy = async (order: RequestOf<typeof buyOption>, confirmed: ConfirmedTerms): Promise<Failure | null> => {
    const { byId, done } = useHeldOrderStore.getState();
    const sentAt = serverNowMs();
    const known = new Set([...Object.keys(byId), ...done]);
    const attempt = attemptOf(order);
    attempts.change(code, { attempt });
    const { sentMs, newestTickMs, signed } = attempt;
    const answer = await submit(order, signed);
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
    // 0 until the stream has told the server's time.
    const offsetMs = stream.clockOffsetMs || null;
    const times = { sentMs, answeredMs, offsetMs, newestTickMs };
    // The terms are stored before the purchase is shown, so that the server cannot deny them afterwards.
    await keep(answer.data, { ...order, ...confirmed, ...signed }, times);
    const { terms: _, ...bought } = answer.data;
    take(bought);
    return null;
  };

  const attemptOf = (order: RequestOf<typeof buyOption>): Attempt => {
    const form = encodeForm(order);
    const before = attempts.read(code).attempt;
    if (before?.form === form) return before;
    const newest = useTickers.getState()[code];
    const newestTickMs = newest ? Date.parse(newest.at) : null;
    const latest = stream.clockOffsetMs !== 0 && { latest: (serverNowMs() + ACCEPTED_WITHIN_MS).toFixed() };
    return { form, signed: { nonce: drawNonce(), ...latest }, sentMs: Date.now(), newestTickMs };
  };

  return { buy, isBusy, doubt };
}

/** An order is accepted a second after it arrives. One that would be accepted later than this is not bought. */
const ACCEPTED_WITHIN_MS = 5_000;
/** Slow or unavailable storage must not delay showing the order. */
const KEEP_MAX_MS = 1_500;

async function keep(bought: BoughtOption, ordered: OrderedOption, times: PurchaseTimes): Promise<void> {
  const keeping = loadEvidence().then(({ keepPurchaseAnswer }) => keepPurchaseAnswer(bought, ordered, times));
  await Promise.race([keeping.catch(() => undefined), new Promise((resolve) => void setTimeout(resolve, KEEP_MAX_MS))]);
}
