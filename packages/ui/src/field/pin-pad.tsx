import { toLatinDigits } from '@sathorn/identity';
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { Icon } from '../icon.tsx';
import './pin-pad.css';

const PLACES = [0, 1, 2, 3, 4, 5] as const;
const LENGTH = PLACES.length;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '', '0', 'erase'] as const;

interface PinPadProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Called when the sixth digit has been entered. */
  onComplete?: (value: string) => void;
  eraseLabel: string;
  /** Text for screen readers: how many of the six digits are entered. */
  progressText: (entered: number, length: number) => string;
  error?: string | undefined;
  busy?: boolean;
}

/**
 * A keypad for the payment password, because the phone's keyboard might remember what is typed. Also works with a
 * physical keyboard.
 */
export function PinPad({
  label,
  value,
  onChange,
  onComplete,
  eraseLabel,
  progressText,
  error,
  busy = false,
}: PinPadProps) {
  const group = useRef<HTMLFieldSetElement>(null);
  // Takes the focus before the paint, so that a customer who sees the keypad can type at once.
  useLayoutEffect(() => group.current?.focus(), []);

  const press = (key: string) => {
    if (busy) return;
    if (key === 'erase') return onChange(value.slice(0, -1));
    if (value.length >= LENGTH) return;
    const next = value + key;
    onChange(next);
    if (next.length === LENGTH) onComplete?.(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A keyboard may type digits of another script.
    const digit = toLatinDigits(event.key);
    if (/^[0-9]$/.test(digit)) press(digit);
    else if (event.key === 'Backspace') press('erase');
    else return;
    event.preventDefault();
  };

  return (
    <fieldset
      ref={group}
      className="ui-pin"
      aria-label={label}
      dir="ltr"
      tabIndex={-1}
      data-autofocus=""
      onKeyDown={onKeyDown}
      data-faulty={error ? '' : undefined}
      data-invalid={error ? true : undefined}
      aria-busy={busy || undefined}
      data-base-ui-swipe-ignore=""
    >
      <div className="ui-pin-dots" aria-hidden="true">
        {PLACES.map((place) => (
          <span key={place} data-on={place < value.length ? '' : undefined} />
        ))}
      </div>
      <div className="ui-pin-note" role="status" dir="auto">
        {error ?? <span className="unseen">{progressText(value.length, LENGTH)}</span>}
      </div>
      <div className="ui-pin-keys num">
        {KEYS.map((key) =>
          key === '' ? (
            <span key="gap" />
          ) : (
            <button
              key={key}
              type="button"
              aria-label={key === 'erase' ? eraseLabel : undefined}
              disabled={busy}
              onClick={() => press(key)}
            >
              {key === 'erase' ? <Icon name="backspace" size={26} /> : key}
            </button>
          ),
        )}
      </div>
    </fieldset>
  );
}
