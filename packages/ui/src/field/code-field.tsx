import { useEffect, useState } from 'react';
import { TextField, type TextFieldProps } from './text-field.tsx';
import './code-field.css';

interface CodeFieldProps extends Omit<TextFieldProps, 'trail' | 'type'> {
  sendLabel: string;
  /** `{seconds}` until the next code may be asked for. */
  waitLabel: (seconds: number) => string;
  /** Asks for a code; answers how many seconds to wait for the next, or null when none was sent. */
  onSend: () => Promise<number | null>;
}

/** Verification code: six characters, with the button that asks for one and counts down to the next. */
export function CodeField({ sendLabel, waitLabel, onSend, ...field }: CodeFieldProps) {
  const [waitUntil, setWaitUntil] = useState(0);
  const [seconds, setSeconds] = useState(0);
  const [isSending, setSending] = useState(false);

  useEffect(() => {
    if (waitUntil === 0) return;
    const tell = () => setSeconds(Math.max(0, Math.ceil((waitUntil - Date.now()) / 1000)));
    tell();
    const timer = setInterval(tell, 500);
    return () => clearInterval(timer);
  }, [waitUntil]);

  const send = async () => {
    setSending(true);
    try {
      const wait = await onSend();
      if (wait !== null) setWaitUntil(Date.now() + wait * 1000);
    } finally {
      setSending(false);
    }
  };

  return (
    <TextField
      inputMode="text"
      autoComplete="one-time-code"
      maxLength={6}
      {...field}
      dir="ltr"
      trail={
        <button type="button" className="ui-code-send num" disabled={seconds > 0 || isSending} onClick={send}>
          {seconds > 0 ? waitLabel(seconds) : sendLabel}
        </button>
      }
    />
  );
}
