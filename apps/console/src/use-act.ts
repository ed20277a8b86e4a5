import { type Call, type RequestOf, type ResultOf, readDepositSlip } from '@sathorn/api';
import { callServer, createIntentKey, type Failure, queryClient, readKey } from '@sathorn/app/client';
import { useRef, useState } from 'react';

export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, string>>;
}
export type Acted<Result> =
  | { readonly ok: true; readonly data: Result }
  | { readonly ok: false; readonly refused: Refused };

const [SLIP] = readKey(readDepositSlip);
const LOST = { en: 'The server didn’t answer. It is safe to try again.', th: 'เซิร์ฟเวอร์ไม่ตอบ ลองใหม่ได้อย่างปลอดภัย' };

export function refusedOf(failed: Pick<Failure, 'code' | 'message' | 'fields'>): Refused {
  const language = document.documentElement.lang.startsWith('th') ? 'th' : 'en';
  return { code: failed.code, message: failed.message ?? LOST[language], fields: failed.fields };
}

/**
 * Makes a call with an idempotency key that is kept until the server has answered, so that pressing again after a lost
 * answer does not act twice.
 */
export function useAct<C extends Call>(call: C) {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<Refused | null>(null);
  const key = useRef(createIntentKey());
  const run = async (request: RequestOf<C>): Promise<Acted<ResultOf<C>>> => {
    setBusy(true);
    setRefused(null);
    try {
      const payload = JSON.stringify(request);
      const answer = await callServer(call, request, { idempotencyKey: key.current.keyFor(payload) });
      if (answer.ok || answer.isAnswered) key.current.answered();
      if (answer.ok) {
        // A slip is not read again automatically, because every view is logged.
        void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== SLIP });
        return { ok: true, data: answer.data };
      }
      const why = refusedOf(answer);
      setRefused(why);
      return { ok: false, refused: why };
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, refused, clear: () => setRefused(null) };
}
