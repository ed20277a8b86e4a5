import { type Call, orderedAs, type RequestOf, type ResultOf } from '@sathorn/api';
import { useText } from '@sathorn/ui';
import { useCallback, useRef, useState } from 'react';
import { showToast } from '../shell/toasts.ts';
import { type Answer, failureOf, failureText } from './answer.ts';
import { callServer } from './call-server.ts';
import { encodeForm } from './encode-form.ts';
import { createIntentKey, type IntentKey } from './intent-key.ts';
import { beginOverlay, endOverlay } from './overlay.ts';
import { createSubmitThrottle } from './submit-throttle.ts';

const throttle = createSubmitThrottle();

interface UseCallOptions {
  /** The caller shows failures itself. Otherwise a failure without a field is shown as a toast. */
  quiet?: boolean;
  /** The caller handles a missing answer itself and finds out whether the server carried out the request. */
  tellsLoss?: boolean;
  /** For a small action within a page that shows its own progress. */
  withoutOverlay?: boolean;
  /** The key of an intention that outlives the page. */
  intent?: IntentKey;
}

/**
 * Submits a call: throttled, with the overlay, and with an idempotency key for calls that move money. `const buy =
 * useCall(buyOption); const answer = await buy.submit({…})`.
 */
export function useCall<C extends Call>(
  call: C,
  { quiet = false, tellsLoss = false, withoutOverlay = false, intent }: UseCallOptions = {},
) {
  const texts = useText();
  const [isBusy, setBusy] = useState(false);
  const own = useRef<IntentKey>(null);
  own.current ??= createIntentKey();
  const key = intent ?? own.current;

  /** `drawn` is sent but does not identify the request: two tries that differ only in it are the same intention. */
  const submit = async (request: RequestOf<C>, drawn?: Partial<RequestOf<C>>): Promise<Answer<ResultOf<C>>> => {
    const payload = encodeForm(request as Readonly<Record<string, unknown>>);
    const entry = throttle.enter(call.path, payload);
    if (entry !== 'entered') {
      const refused = failureOf(entry, { isAnswered: true });
      showToast(failureText(refused, texts));
      return refused;
    }
    setBusy(true);
    if (!withoutOverlay) beginOverlay();
    try {
      const sent: RequestOf<C> = drawn === undefined ? request : Object.assign({}, request, drawn);
      const answer = await callServer(
        call,
        sent,
        call.movesMoney || call.who === 'operator' || orderedAs(call) !== null
          ? { idempotencyKey: key.keyFor(payload) }
          : {},
      );
      if (answer.ok || answer.isAnswered) key.answered();
      // The shell announces the end of a session and opens sign-in.
      const isSilent = quiet || (tellsLoss && !answer.ok && !answer.isAnswered);
      if (!answer.ok && !isSilent && answer.code !== 'session_required' && Object.keys(answer.fields).length === 0) {
        showToast(failureText(answer, texts), 'danger');
      }
      return answer;
    } finally {
      throttle.leave(call.path);
      if (!withoutOverlay) endOverlay();
      setBusy(false);
    }
  };

  /** Call it when the outcome of an unanswered intention is known, so that the same request is then a new intention. */
  const settled = useCallback(() => key.answered(), [key]);

  return { submit, isBusy, settled };
}
