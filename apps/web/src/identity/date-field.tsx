import { dayOfTypedDate, normaliseNumber, type TypedDate, typedDateOfDay } from '@sathorn/identity';
import { intlTagOf, type Presentation } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { useId, useState } from 'react';
import './date-field.css';

interface DateFieldProps {
  label: string;
  /** `1990-11-23`, or empty. */
  value: string;
  /** Receives an empty text until the three parts are a valid day. */
  onChange: (value: string) => void;
  error: string | undefined;
  isBirth?: boolean;
}

type Part = keyof TypedDate;

/** Day, month and year in the order of the reader's country. The year may be of either era. */
export function DateField({ label, value, onChange, error, isBirth = false }: DateFieldProps) {
  const { t, presentation } = useText<'identity'>();
  const id = useId();
  const [typed, setTyped] = useState(() => typedDateOfDay(value, usesBuddhist(presentation)));
  const change = (part: Part, text: string) => {
    const next = { ...typed, [part]: text };
    setTyped(next);
    onChange(dayOfTypedDate(next) ?? '');
  };
  const isFull = typed.day !== '' && typed.month !== '' && typed.year.length === 4;
  const fault = isFull && value === '' ? t('cert.no_such_day') : error;
  const note = fault ?? (value === '' ? null : inBothEras(value, presentation));
  const ties = { 'aria-describedby': `${id}-note`, 'aria-invalid': fault ? true : undefined } as const;
  const number = (part: 'day' | 'year', digits: number) => (
    <div className="ui-field-well date-field-number" key={part}>
      <input
        {...ties}
        type="text"
        inputMode="numeric"
        autoComplete={isBirth ? `bday-${part}` : 'off'}
        aria-label={t(`cert.${part}`)}
        placeholder={t(`cert.${part}`)}
        value={typed[part]}
        onChange={(event) =>
          change(
            part,
            normaliseNumber(event.target.value)
              .replace(/[^0-9]/g, '')
              .slice(0, digits),
          )
        }
      />
    </div>
  );
  const parts: Record<Part, React.ReactNode> = {
    day: number('day', 2),
    month: (
      <div className="ui-field-well date-field-month" key="month">
        <select
          {...ties}
          autoComplete={isBirth ? 'bday-month' : 'off'}
          aria-label={t('cert.month')}
          value={typed.month}
          onChange={(event) => change('month', event.target.value)}
        >
          <option value="">{t('cert.month')}</option>
          {monthNames(presentation).map((name, index) => (
            <option key={name} value={String(index + 1)}>
              {name}
            </option>
          ))}
        </select>
      </div>
    ),
    year: number('year', 4),
  };
  return (
    <fieldset className="ui-field date-field" data-faulty={fault ? '' : undefined}>
      <legend className="ui-field-label">{label}</legend>
      <div className="date-field-parts">{orderOf(presentation).map((part) => parts[part])}</div>
      <div className="ui-field-note" id={`${id}-note`} aria-live={fault ? 'polite' : undefined} hidden={!note}>
        {note}
      </div>
    </fieldset>
  );
}

function usesBuddhist(presentation: Presentation): boolean {
  return intlTagOf(presentation).includes('ca-buddhist');
}

const FULL = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;

function monthNames(presentation: Presentation): string[] {
  const formatter = new Intl.DateTimeFormat(intlTagOf(presentation), { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => formatter.format(Date.UTC(2000, month, 1)));
}

/** Returns the order of the parts. Chinese and Japanese write the year first. */
function orderOf(presentation: Presentation): Part[] {
  return new Intl.DateTimeFormat(intlTagOf(presentation), FULL)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter((type) => type === 'day' || type === 'month' || type === 'year');
}

/** Formats a day in both eras, 23 พฤศจิกายน 2533 (1990), so that a customer notices a year of the wrong era. */
function inBothEras(day: string, presentation: Presentation): string {
  const said = new Intl.DateTimeFormat(intlTagOf(presentation), FULL)
    .format(Date.parse(`${day}T00:00:00Z`))
    .replace(/[\u061c\u200e\u200f]/g, '');
  return usesBuddhist(presentation) ? `${said} (${day.slice(0, 4)})` : said;
}
