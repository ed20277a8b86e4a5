import { FieldFrame, Sheet, useText } from '@sathorn/ui';
import { useId, useState } from 'react';
import { LatePinSteps } from '../parts/forms/late-pin-steps.tsx';
import './pin-field.css';

interface PinFieldProps {
  label: string;
  hint?: string;
  value: string;
  onChange: (pin: string) => void;
  error?: string | undefined;
}

/** Chooses a payment password within a longer form: a button that looks like a field, and a sheet with the keypad. */
export function PinField({ label, hint, value, onChange, error }: PinFieldProps) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  const stateId = useId();
  return (
    <>
      <FieldFrame label={label} hint={hint} error={error}>
        {({ 'aria-invalid': invalid, 'aria-describedby': note, id }) => (
          <button
            id={id}
            // The label is the accessible name, so whether a PIN has been chosen is a separate description.
            aria-describedby={note ? `${stateId} ${note}` : stateId}
            type="button"
            className="ui-field-well pin-field"
            aria-haspopup="dialog"
            data-invalid={invalid}
            onClick={() => setOpen(true)}
          >
            {value ? (
              <span className="pin-field-dots" id={stateId}>
                <span aria-hidden="true">••••••</span>
                <span className="unseen">{t('pin.chosen')}</span>
              </span>
            ) : (
              <span className="pin-field-empty" id={stateId}>
                {t('pin.not_chosen')}
              </span>
            )}
            <span className="pin-field-action">{t(value ? 'form.change' : 'form.set')}</span>
          </button>
        )}
      </FieldFrame>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={label} titleUnseen>
        {isOpen && (
          <LatePinSteps
            steps={['new', 'again']}
            onDone={({ pin }) => {
              onChange(pin);
              setOpen(false);
            }}
          />
        )}
      </Sheet>
    </>
  );
}
