import { Icon } from '@sathorn/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { groupedDecimal, groupedShortDecimal, useTexts } from './texts/index.ts';

const pad = (n: number): string => String(n).padStart(2, '0');

/** Formats a duration: `08:12`, `1:18:02`, `1 d 21 h`. */
export function clockSpanText(ms: number, day: string, hour: string): string {
  const seconds = Math.floor(Math.abs(ms) / 1_000);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600), Math.floor(seconds / 60)];
  if (days > 0) return `${days} ${day} ${hours % 24} ${hour}`;
  return hours > 0 ? `${hours}:${pad(minutes % 60)}:${pad(seconds % 60)}` : `${pad(minutes)}:${pad(seconds % 60)}`;
}

/** Time left until a promised time: neutral, amber in the last quarter, red with a warning sign once it has passed. */
export function DueClock({ due, from }: { due: string; from: string }) {
  const { t } = useTexts();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const left = Date.parse(due) - now;
  const whole = Date.parse(due) - Date.parse(from);
  const state = left < 0 ? 'over' : left < whole / 4 ? 'soon' : undefined;
  return (
    <span className="clk" data-state={state} title={t(state === 'over' ? 'clock.over' : 'clock.left')}>
      <Icon name={state === 'over' ? 'warning' : 'clock'} size={14} />
      {left < 0 ? '+' : ''}
      {clockSpanText(left, t('clock.day'), t('clock.hour'))}
    </span>
  );
}

export function VotePips({ given, need }: { given: number; need: number }) {
  const { t } = useTexts();
  if (need === 0) return <span className="c">{t('approvals.automatic')}</span>;
  return (
    <span className="appr" title={t('approvals.given', { given, need })}>
      {Array.from({ length: need }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is identified by its index only
        <i key={place} data-full={place < given ? '' : undefined} />
      ))}
      <span className="sm m">
        {given}/{need}
      </span>
    </span>
  );
}

export function Tag({
  look,
  children,
}: {
  look?: 'ok' | 'warn' | 'danger' | 'brand' | undefined;
  children: ReactNode;
}) {
  return (
    <span className="tag" data-look={look}>
      {children}
    </span>
  );
}

/** People read dollars and baht with two decimals; coins need all of theirs. */
const SHORT: ReadonlySet<string> = new Set(['USDT', 'THB']);

/** Shows two decimals, and the full amount on hover. Where people decide, `amount` shows all of it. */
export function Money({ of, asset = 'USDT' }: { of: string; asset?: string }) {
  const full = groupedDecimal(of);
  const short = SHORT.has(asset) ? groupedShortDecimal(of) : full;
  return short === full ? full : <abbr title={full}>{short}</abbr>;
}

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="kv">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function CheckResults({
  checks,
}: {
  checks: readonly { code: string; ok: boolean; value?: string | undefined }[];
}) {
  const { code } = useTexts();
  /** A failed check has its own text, because "no open question" would say the opposite. */
  const wordsOf = (name: string, ok: boolean): string => {
    const failed = ok ? '' : code('check', `${name}.not`);
    return failed === '' || failed === `${name}.not` ? code('check', name) : failed;
  };
  return (
    <ul className="checks">
      {checks.map((check) => (
        <li key={check.code} className="chk">
          <span className={check.ok ? 'ok' : 'wa'}>
            <Icon name={check.ok ? 'check' : 'warning'} size={14} />
          </span>
          <span>{wordsOf(check.code, check.ok)}</span>
          <span className="m num">
            {check.value !== undefined && /^\d+\.\d+$/.test(check.value) ? <Money of={check.value} /> : check.value}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Shows a text exactly as the customer reads it. */
export function CustomerSeesNote({ children }: { children: ReactNode }) {
  const { t } = useTexts();
  return (
    <div className="note seen">
      <b>{t('customer.sees')}</b>
      <p>{children}</p>
    </div>
  );
}

export function KeyHint({ name }: { name: string }) {
  return <kbd>{name}</kbd>;
}

/** Shows a text in groups of four characters, so that two addresses are easy to compare. */
export function GroupedText({ text }: { text: string }) {
  const head = text.startsWith('0x') ? '0x' : '';
  return (
    <span className="mono break" dir="ltr">
      {head}
      {(text.slice(head.length).match(/.{1,4}/g) ?? []).join(' ')}
    </span>
  );
}
