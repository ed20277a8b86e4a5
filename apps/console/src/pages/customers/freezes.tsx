import type { CustomerProfile } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { DueClock, Tag } from '../../parts/parts.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { ChangeFreeze } from './change-freeze.tsx';

export function Freezes({ profile }: { profile: CustomerProfile }) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const [changing, setChanging] = useState<{ freeze: string; isLift: boolean } | null>(null);
  return (
    <section className="card">
      <div className="hd">
        <h2>{t('customers.freezes')}</h2>
        <span className="r">{t('customers.ends_itself')}</span>
      </div>
      {profile.freezes.length === 0 ? (
        <EmptyState title={t('customers.never_frozen')} />
      ) : (
        <ul className="plain bd">
          {profile.freezes.map((freeze) => {
            const isOver = freeze.lifted_at !== null || Date.parse(freeze.until) <= Date.now();
            return (
              <li key={freeze.id} className="col line">
                <span className="row sp">
                  <b>{freeze.scopes.map((scope) => t(`scope.${scope}`)).join(', ')}</b>
                  {isOver ? <Tag>{t('customers.over')}</Tag> : <DueClock due={freeze.until} from={freeze.from} />}
                </span>
                <span className="c">
                  {code('reason', freeze.reason)} · {freeze.by?.work_name} · {dateTime(freeze.from)} –{' '}
                  {dateTime(freeze.lifted_at ?? freeze.until)}
                </span>
                {!isOver && hasAnyRole(operator, ['compliance']) && (
                  <span className="row">
                    <Button size="small" look="soft" onClick={() => setChanging({ freeze: freeze.id, isLift: true })}>
                      {t('customers.lift')}
                    </Button>
                    <Button size="small" look="soft" onClick={() => setChanging({ freeze: freeze.id, isLift: false })}>
                      {t('customers.extend')}
                    </Button>
                  </span>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {changing && <ChangeFreeze customer={profile} {...changing} onClose={() => setChanging(null)} />}
    </section>
  );
}
