import { Card, EmptyState, useText } from '@sathorn/ui';
import type { ComponentProps, ReactNode } from 'react';
import { ListEnd } from '../parts/list/list-end.tsx';
import { NoRows } from '../parts/list/no-rows.tsx';

interface DisputeListProps {
  list: ComponentProps<typeof ListEnd>['list'] & ComponentProps<typeof NoRows>['list'];
  lead: string;
  /** The text below the title of an empty list. */
  none: string;
  children: ReactNode[];
}

export function DisputeList({ list, lead, none, children }: DisputeListProps) {
  const { t } = useText<'disputes'>();
  return (
    <>
      <p className="disputes-lead">{lead}</p>
      {children.length > 0 ? (
        <>
          {children}
          <ListEnd list={list} />
        </>
      ) : (
        <Card>
          <NoRows
            list={list}
            failed={t('disputes.failed')}
            none={
              <EmptyState picture="flag" title={t('disputes.none')}>
                {none}
              </EmptyState>
            }
            rows={3}
          />
        </Card>
      )}
    </>
  );
}
