import type { SignInState } from '@sathorn/api';
import { formatCount, intlTagOf } from '@sathorn/text';
import { Card, CardHead, useText } from '@sathorn/ui';
import { dayText } from './reward-figures.ts';

const DAY_MS = 86_400_000;
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
/** 1 November 2026 is a Sunday. */
const WEEK_FROM_MS = Date.UTC(2026, 10, 1);

/** The current month in the brand's calendar: days with and without a check-in, between the first day and today. */
export function MonthCalendar({ sign }: { sign: SignInState }) {
  const { t, presentation } = useText<'rewards'>();
  const { today } = sign;
  const first = Date.parse(`${today.slice(0, 7)}-01T00:00:00Z`);
  const [year = 0, month = 0] = today.split('-').map(Number);
  const count = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const signed = new Set(sign.calendar);
  const firstSigned = sign.calendar[0];
  const inMonth = sign.calendar.filter((date) => date.startsWith(today.slice(0, 7)));
  const weekday = new Intl.DateTimeFormat(intlTagOf(presentation), {
    // Arabic has no short names of weekdays.
    weekday: presentation.language === 'ar' ? 'narrow' : 'short',
    timeZone: 'UTC',
  });
  return (
    <Card>
      <CardHead
        title={dayText(today, 'month', presentation)}
        trail={<span className="muted num">{t('rewards.signed_days', { count: inMonth.length })}</span>}
      />
      <div className="reward-week cap" aria-hidden="true">
        {Array.from({ length: 7 }, (_, n) => weekday.format(WEEK_FROM_MS + n * DAY_MS)).map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className="reward-days num">
        {Array.from({ length: count }, (_, n) => dateOf(first + n * DAY_MS)).map((date, n) => {
          const isSigned = signed.has(date);
          const isMissed = !isSigned && date < today && firstSigned !== undefined && date > firstSigned;
          const named = { date: dayText(date, 'day', presentation) };
          return (
            <li
              key={date}
              style={n === 0 ? { gridColumnStart: new Date(first).getUTCDay() + 1 } : undefined}
              data-state={isSigned ? 'signed' : isMissed ? 'missed' : undefined}
              aria-current={date === today ? 'date' : undefined}
              aria-label={
                isSigned
                  ? t('rewards.calendar_signed', named)
                  : isMissed
                    ? t('rewards.calendar_missed', named)
                    : undefined
              }
            >
              <span>{formatCount(n + 1, presentation)}</span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
