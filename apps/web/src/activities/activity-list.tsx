import { listActivities } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { PageBar } from '@sathorn/app/shell';
import { formatCount } from '@sathorn/text';
import { Tabs, useText } from '@sathorn/ui';
import { useState } from 'react';
import { Activities } from './activities.tsx';
import { ActivityTexts } from './activity-texts.tsx';

const STATES = ['all', 'running', 'over'] as const;

/** `#/pages/activeList/index`: current activities, and those that ended in the last half year. */
export default function ActivityList() {
  return (
    <ActivityTexts>
      <List />
    </ActivityTexts>
  );
}

function List() {
  const { t, presentation } = useText<'activities'>();
  const texts = useText();
  const [state, setState] = useState<(typeof STATES)[number]>('all');
  const { data } = useRead(listActivities, {}, { freshForMs: 30_000 });
  const all = data?.lists.filter(({ kind }) => kind === 'activity').length;
  return (
    <>
      <PageBar title={texts.t('screen.activities')} />
      <div className="page activity-page">
        <Tabs
          label={texts.t('screen.activities')}
          tabs={STATES.map((value) => ({
            value,
            label:
              value === 'all' && all !== undefined
                ? t('activities.count', { label: t('activities.all'), count: formatCount(all, presentation) })
                : t(`activities.${value}`),
          }))}
          value={state}
          onChange={setState}
          panelId="activities"
        />
        <div id="activities" role="tabpanel" aria-label={t(`activities.${state}`)}>
          <Activities
            kind="activity"
            passes={({ is_over: isOver }) => state === 'all' || isOver === (state === 'over')}
          />
        </div>
      </div>
    </>
  );
}
