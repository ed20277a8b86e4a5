import {
  type Call,
  type RequestOf,
  type ResultOf,
  readDepositSlip,
  type STEP_UP_ACTS,
  withdrawApproval,
} from '@sathorn/api';
import { callServer, createIntentKey, type Failure, queryClient, readQueryKey } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { useRef, useState } from 'react';
import { approvalAskedFor } from './approval-asked-for.ts';
import { type Texts, useTexts } from './parts/texts/index.ts';

export interface RefusedAct {
  readonly code: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}
export type ActResult<Result> =
  | { readonly ok: true; readonly data: Result }
  | { readonly ok: false; readonly refused: RefusedAct; readonly toSign?: ToSign | null };
/** What an operator confirms. */
export interface ToSign {
  readonly op: (typeof STEP_UP_ACTS)[number];
  readonly id: string;
  /** Fingerprint of the content. The confirmation is valid for this content only. */
  readonly fingerprint: string;
}

const [SLIP] = readQueryKey(readDepositSlip);
const LOST = { en: 'The server didn’t answer. It is safe to try again.', th: 'เซิร์ฟเวอร์ไม่ตอบ ลองใหม่ได้อย่างปลอดภัย' };

export function refusedActOf(failed: Pick<Failure, 'code' | 'message' | 'fields'>): RefusedAct {
  const language = document.documentElement.lang.startsWith('th') ? 'th' : 'en';
  return { code: failed.code, message: failed.message ?? LOST[language], fields: failed.fields };
}

function toSignOf({ code, params: { op, id, fingerprint } }: Failure): ToSign | null {
  if (code !== 'step_up_required' || !op || !id || !fingerprint) return null;
  return { op: op as ToSign['op'], id, fingerprint };
}

/** Reads everything on the screen again except slips, because every view of a slip is logged. */
const readAll = (): void => void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SLIP });

const UNDO_MS = 10_000;
/** Says that a second person must approve, and lets the operator take the request back while nothing has happened. */
function offerUndo(id: string, { t }: Texts): void {
  const undo = async () => {
    const answer = await callServer(withdrawApproval, { id }, { idempotencyKey: createIntentKey().keyFor(id) });
    if (answer.ok) showToast(t('undo.done'), 'success');
    else showToast(refusedActOf(answer).message, 'danger');
    readAll();
  };
  showToast(t('undo.asked'), 'success', {
    durationMs: UNDO_MS,
    about: id,
    action: { label: t('undo.act'), onPress: () => void undo() },
  });
}

/**
 * Makes a call with an idempotency key that is kept until the server has answered, so that pressing again after a lost
 * answer does not act twice. `payload` is what the key stands for: a proposal keeps its key until it is signed.
 */
export function useAct<C extends Call>(call: C) {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedAct | null>(null);
  const key = useRef(createIntentKey());
  const texts = useTexts();
  const run = async (request: RequestOf<C>, payload = JSON.stringify(request)): Promise<ActResult<ResultOf<C>>> => {
    setBusy(true);
    setRefused(null);
    try {
      const answer = await callServer(call, request, { idempotencyKey: key.current.keyFor(payload) });
      const toSign = answer.ok ? null : toSignOf(answer);
      if (toSign === null && (answer.ok || answer.isAnswered)) key.current.answered();
      if (answer.ok) {
        readAll();
        const asked = approvalAskedFor(call, answer.data);
        if (asked !== null) offerUndo(asked, texts);
        return { ok: true, data: answer.data };
      }
      const why = refusedActOf(answer);
      if (toSign === null) setRefused(why);
      return { ok: false, refused: why, toSign };
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, refused, clear: () => setRefused(null) };
}
