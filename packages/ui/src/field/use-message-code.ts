import { useEffect, useRef } from 'react';

/** WebOTP, which TypeScript's own types do not have yet. */
interface MessageCode extends Credential {
  readonly code: string;
}

/**
 * Takes the code out of an SMS that arrives while the page waits for it, where the browser can read one (WebOTP). The
 * browser asks the person first, and only about a message whose last line names this site.
 */
export function useMessageCode(isAwaited: boolean, onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    if (!isAwaited || !('OTPCredential' in window)) return;
    const stop = new AbortController();
    const asked = { otp: { transport: ['sms'] }, signal: stop.signal } as CredentialRequestOptions;
    navigator.credentials.get(asked).then(
      (found) => found && latest.current((found as MessageCode).code),
      // Declined, or the page was left: the code is typed.
      () => undefined,
    );
    return () => stop.abort();
  }, [isAwaited]);
}
