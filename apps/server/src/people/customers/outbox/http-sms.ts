import type { SmsAdapter } from './live-outbox.ts';

interface HttpSmsOptions {
  /** The gateway's address. It accepts `{"to", "from", "text"}` as JSON and answers with a status from 200 to 299. */
  readonly url: string;
  readonly token: string;
  /** The brand's registered sender name. */
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** An SMS gateway with JSON over HTTPS. Providers with other formats need their own adapters. */
export function openHttpSms({ url, token, from }: HttpSmsOptions): SmsAdapter {
  return {
    send: async (to, text) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ to, from, text }),
        // A redirect could send a code elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the SMS gateway answered ${response.status}`);
    },
  };
}
