import type { DurationTerms } from '@sathorn/api';
import { formatPercent } from '@sathorn/text';
import { Skeleton, useText } from '@sathorn/ui';
import { durationLabel } from './duration-label.ts';
import './duration-picker.css';

interface DurationPickerProps {
  durations: readonly DurationTerms[] | undefined;
  value: number;
  onChange: (seconds: number) => void;
}

/** Chooses the duration, which decides the payout of a win. */
export function DurationPicker({ durations, value, onChange }: DurationPickerProps) {
  const { t, presentation } = useText();
  return (
    <fieldset>
      <legend className="unseen">
        {t('option.expires_in')} · {t('option.payout_on_win')}
      </legend>
      <div className="durations-grid num">
        {(durations ?? PLACES).map((terms) =>
          typeof terms === 'number' ? (
            <Skeleton key={terms} height={48} />
          ) : (
            <label key={terms.seconds} className="duration">
              <input
                type="radio"
                name="duration"
                className="unseen"
                checked={terms.seconds === value}
                onChange={() => onChange(terms.seconds)}
              />
              <span>{durationLabel(terms.seconds, t, presentation)}</span>
              <span className="duration-payout">{formatPercent(terms.payout, presentation)}</span>
            </label>
          ),
        )}
      </div>
    </fieldset>
  );
}
const PLACES = [0, 1, 2, 3, 4] as const;
