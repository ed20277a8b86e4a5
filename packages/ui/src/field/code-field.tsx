import { useEffect, useRef, useState } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';
import { useMessageCode } from './use-message-code.ts';
import './code-field.css';

interface CodeFieldProps extends Omit<TextFieldProps, 'trail' | 'type'> {
  sendLabel: string;
  /** The label with the seconds until the next code can be requested. */
  waitLabel: (seconds: number) => string;
  /** No other code can be requested before this time (ms since 1970). */
  waitUntil: number;
  onSend: () => Promise<void>;
  /** Called with the code from an SMS that has just arrived. */
  onCode: (code: string) => void;
}

/** Verification code: six characters, and a button that requests a code and counts down to the next one. */
export function CodeField({ sendLabel, waitLabel, waitUntil, onSend, onCode, ...field }: CodeFieldProps) {
  const [seconds, setSeconds] = useState(0);
  const isSending = useRef(false);
  useMessageCode(seconds > 0, onCode);

  useEffect(() => {
    const tell = () => setSeconds(Math.max(0, Math.ceil((waitUntil - Date.now()) / 1000)));
    tell();
    if (waitUntil <= Date.now()) return;
    const timer = setInterval(tell, 500);
    return () => clearInterval(timer);
  }, [waitUntil]);

  const send = async () => {
    // A disabled button would lose the focus, so the button stays enabled.
    if (isSending.current) return;
    isSending.current = true;
    try {
      await onSend();
    } finally {
      isSending.current = false;
    }
  };

  return (
    <TextField
      inputMode="numeric"
      autoComplete="one-time-code"
      {...field}
      dir="ltr"
      trail={
        <button type="button" className="ui-code-send num" disabled={seconds > 0} onClick={send}>
          {seconds > 0 ? waitLabel(seconds) : sendLabel}
        </button>
      }
    />
  );
}
