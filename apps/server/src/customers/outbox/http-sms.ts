import type { SmsAdapter } from './live-outbox.ts';

export interface HttpSmsOptions {
  /** The gateway's address; it takes `{"to", "from", "text"}` as JSON and answers with a status of 200 to 299. */
  readonly url: string;
  readonly token: string;
  /** Sender name that the brand has registered. */
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** An SMS gateway that speaks JSON over HTTPS. A provider with another form gets an adapter of its own. */
export function httpSms({ url, token, from }: HttpSmsOptions): SmsAdapter {
  return {
    send: async (to, text) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to, from, text }),
        // A redirect would carry a code to somewhere else.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
    },
  };
}
