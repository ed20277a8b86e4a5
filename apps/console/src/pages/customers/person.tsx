import type { CustomerProfile } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { may, useOperator } from '../../operator.ts';
import { Facts, Tag } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { hashOf } from '../../route.ts';
import { Freeze } from './freeze.tsx';
import { Invites } from './invites.tsx';
import { Unmask } from './unmask.tsx';

export function Person({ profile }: { profile: CustomerProfile }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const [doing, setDoing] = useState<'unmask' | 'freeze' | 'invites' | null>(null);
  return (
    <section className="card split">
      <div className="hd">
        <h2>{t('customers.person')}</h2>
        {profile.is_frozen && <Tag look="warn">{t('customers.frozen')}</Tag>}
      </div>
      <div className="bd col">
        <Facts
          facts={[
            [
              t('customers.id'),
              <span key="id" className="mono">
                {profile.id}
              </span>,
            ],
            [t('customers.nickname'), <bdi key="name">{profile.nickname}</bdi>],
            [
              t('customers.phone'),
              <span key="phone" className="mono">
                {profile.phone ?? '–'}
              </span>,
            ],
            [
              t('customers.email'),
              <span key="email" className="mono">
                {profile.email ?? '–'}
              </span>,
            ],
            [t('customers.since'), dateTime(profile.created_at)],
            [
              t('customers.invited_by'),
              profile.invited_by ? (
                <a key="by" className="mono" href={hashOf('customers', profile.invited_by)}>
                  {profile.invited_by}
                </a>
              ) : (
                '–'
              ),
            ],
            [t('customers.may_invite'), t(profile.invite_allowed ? 'yes' : 'no')],
            [t('customers.sessions'), profile.sessions],
          ]}
        />
        <div className="row wrap">
          {may(operator, ['support', 'compliance']) && (
            <>
              <Button size="small" look="soft" icon="eye" onClick={() => setDoing('unmask')}>
                {t('customers.unmask')}
              </Button>
              <Button size="small" look="danger" icon="lock" onClick={() => setDoing('freeze')}>
                {t('customers.freeze')}
              </Button>
            </>
          )}
          {may(operator, ['support', 'compliance', 'admin']) && (
            <Button size="small" look="soft" onClick={() => setDoing('invites')}>
              {t(profile.invite_allowed ? 'customers.take_invites' : 'customers.give_invites')}
            </Button>
          )}
        </div>
        <p className="c">{t('customers.not_here')}</p>
      </div>
      {doing === 'unmask' && <Unmask id={profile.id} onClose={() => setDoing(null)} />}
      {doing === 'freeze' && <Freeze profile={profile} onClose={() => setDoing(null)} />}
      {doing === 'invites' && <Invites profile={profile} onClose={() => setDoing(null)} />}
    </section>
  );
}
