import { formatCount } from '@sathorn/text';
import { PinPad, useText } from '@sathorn/ui';
import { useState } from 'react';
import './pin-steps.css';

type PinStep = 'own' | 'current' | 'new' | 'again';

interface PinStepsProps {
  steps: readonly PinStep[];
  onDone: (entered: { current: string; pin: string }) => void;
  /** The error of the previous entry. */
  error?: string | undefined;
  /** The current password, if only the new one was rejected, so that the customer need not type it again. */
  kept?: string | undefined;
  busy?: boolean;
}

const WORDS = { own: 'pin.own', current: 'pin.current', new: 'pin.new', again: 'pin.again' } as const;

/**
 * Shows keypads in sequence: one payment password to confirm an action, or the current one and the new one twice.
 * Change its `key` to restart it.
 */
export function PinSteps({ steps, onDone, error, kept, busy = false }: PinStepsProps) {
  const { t, presentation } = useText();
  const begin = kept === undefined ? 0 : steps.indexOf('new');
  const [at, setAt] = useState(begin);
  const [value, setValue] = useState('');
  const [entered, setEntered] = useState({ current: kept ?? '', pin: '' });
  const [differs, setDiffers] = useState(false);
  const step = steps[at] ?? 'new';

  const takeStep = (pin: string) => {
    setDiffers(false);
    const isSame = step !== 'again' || pin === entered.pin;
    const next = step === 'current' || step === 'own' ? { ...entered, current: pin } : { ...entered, pin };
    if (isSame && at === steps.length - 1) return onDone(next);
    if (isSame) {
      setEntered(next);
      setAt(at + 1);
    } else {
      setDiffers(true);
      setAt(steps.indexOf('new'));
    }
    setValue('');
  };

  const label = t(WORDS[step]);
  const fault = differs ? t('paypass.differ') : at === begin ? error : undefined;
  return (
    <div className="pin-steps">
      <div>
        <p className="pin-steps-what">{label}</p>
        {steps.length > 1 && (
          <p className="muted num">
            {t('paypass.step', {
              step: formatCount(at + 1, presentation),
              steps: formatCount(steps.length, presentation),
            })}
          </p>
        )}
      </div>
      <PinPad
        key={step}
        label={label}
        value={value}
        onChange={setValue}
        onComplete={takeStep}
        eraseLabel={t('pin.erase')}
        progressText={(count, length) => t('pin.progress', { entered: count, length })}
        error={fault}
        busy={busy}
      />
    </div>
  );
}
