import type { ResultOf, readDashboard } from '@sathorn/api';
import { Icon, type IconName } from '@sathorn/ui';
import type { ReactNode } from 'react';
import { DueClock } from '../../parts/parts.tsx';
import { routeHash } from '../../route.ts';
import { useDashboardTexts } from './texts.ts';

type Shown = ResultOf<typeof readDashboard>;
type Queue = Shown['queues'][number];

/** Queues in which money waits for a person. */
const MONEY = new Set(['withdrawal', 'deposit', 'correction']);

/** The summary at the top: late work, unusual events, and money that waits for people. */
export function DaySummary({
  shown,
  hrefOf,
  nameOf,
}: {
  shown: Shown;
  hrefOf: (kind: string) => string;
  nameOf: (kind: string) => string;
}) {
  const { say, word } = useDashboardTexts();
  const late = shown.queues.filter(({ overdue }) => overdue > 0);
  const money = shown.queues.filter(({ kind, waiting }) => MONEY.has(kind) && waiting > 0);
  const short = (shown.custody ?? []).filter(({ difference }) => difference?.startsWith('-'));
  const marked = shown.bank_matches?.length ?? 0;
  const unusual = [
    ...short.map(({ asset }) => [asset, say('look.short', { asset }), routeHash('reconciliation')] as const),
    ...shown.health
      .filter(({ is_good: isGood }) => !isGood)
      .map(({ name, state, late: count }) => {
        const text = `${word('health', name)}: ${word('health.state', state, { count: count ?? 0 })}`;
        return [name, text, null] as const;
      }),
    ...shown.indexes
      .filter(({ stale }) => stale)
      .map(({ code }) => [code, say('look.stale', { code }), routeHash('coins')] as const),
    ...(marked > 0 ? [['matches', say('look.matches', { count: marked }), null] as const] : []),
  ];
  const queueLine = (queue: Queue, count: number) => (
    <li key={queue.kind} className="row sp">
      <a href={hrefOf(queue.kind)}>
        {nameOf(queue.kind)} <b className="num">{count}</b>
      </a>
      {queue.due_at && queue.oldest_at && <DueClock due={queue.due_at} from={queue.oldest_at} />}
    </li>
  );
  return (
    <div className="one-look">
      <Part title={say('look.late')} icon="clock" count={late.length} look="danger" none={say('look.none_late')}>
        {late.map((queue) => queueLine(queue, queue.overdue))}
      </Part>
      <Part
        title={say('look.unusual')}
        icon="warning"
        count={unusual.length}
        look="danger"
        none={say('look.none_unusual')}
      >
        {unusual.map(([key, text, href]) => (
          <li key={key}>{href ? <a href={href}>{text}</a> : text}</li>
        ))}
      </Part>
      <Part title={say('look.money')} icon="wallet" count={money.length} look="brand" none={say('look.none_money')}>
        {money.map((queue) => queueLine(queue, queue.waiting))}
      </Part>
    </div>
  );
}

function Part({
  title,
  icon,
  count,
  look,
  none,
  children,
}: {
  title: string;
  icon: IconName;
  count: number;
  look: 'danger' | 'brand';
  none: string;
  children: ReactNode;
}) {
  return (
    <section className="card" data-look={count > 0 ? look : undefined}>
      <div className="hd">
        <Icon name={count > 0 ? icon : 'check'} size={16} />
        <h2>{title}</h2>
      </div>
      {count > 0 ? <ul className="plain bd">{children}</ul> : <p className="bd c">{none}</p>}
    </section>
  );
}
