import type { CallFault } from '@sathorn/app/client';
import { Button, Icon, Skeleton } from '@sathorn/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type RefusedAct, refusedActOf } from '../use-act.ts';
import { useTexts } from './texts/index.ts';

/** Shown beside the pressed button: the sentence, and the refusal's code in small print. */
export function RefusalNote({ refused }: { refused: RefusedAct | null }) {
  return (
    <div role="alert">
      {refused && (
        <p className="note" data-look="danger">
          {refused.message} <span className="c">{refused.code}</span>
        </p>
      )}
    </div>
  );
}

export function SkeletonList({ rows = 8 }: { rows?: number }) {
  const { t } = useTexts();
  return (
    <div className="page" role="status" aria-label={t('state.loading')}>
      <div className="card bd col">
        {Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
          <Skeleton key={row} height={26} />
        ))}
      </div>
    </div>
  );
}

/** Renders a read: a skeleton while it loads, a message with a retry if it fails, or the last good list greyed out. */
export function ReadGate<Data>({
  query,
  children,
  rows,
}: {
  query: UseQueryResult<Data, CallFault>;
  children: (data: Data) => ReactNode;
  rows?: number;
}) {
  const { t } = useTexts();
  if (query.data === undefined && query.error === null) return <SkeletonList rows={rows ?? 6} />;
  const refused = query.error && refusedActOf(query.error.failure);
  return (
    <>
      {refused && (
        <div className="note row" data-look="danger" role="alert">
          <Icon name="warning" size={15} />
          <span>
            {refused.code === 'not_built_yet' ? t('state.not_served') : refused.message}{' '}
            <span className="c">{refused.code}</span>
          </span>
          <Button size="small" look="soft" onClick={() => void query.refetch()}>
            {t('act.retry')}
          </Button>
        </div>
      )}
      {query.data !== undefined && (
        // Operators must not decide on stale data, so the content is inert.
        <div className="loaded" inert={refused !== null} data-stale={refused ? '' : undefined}>
          {children(query.data)}
        </div>
      )}
    </>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <Icon name="check" size={22} />
      <p className="b">{title}</p>
      {children}
    </div>
  );
}
