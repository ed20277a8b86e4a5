import { useEffect, useRef } from 'react';

/** WebOTP, which TypeScript's own types do not have yet. */
interface MessageCode extends Credential {
  readonly code: string;
}

/**
 * Reads the code from an SMS that arrives while the page waits for it, in browsers that support this (WebOTP). The
 * browser asks the customer first, and only for a message whose last line names this site.
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
      // The customer declined or left the page; the code can still be typed.
      () => undefined,
    );
    return () => stop.abort();
  }, [isAwaited]);
}
