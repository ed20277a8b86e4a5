import type { CustomerProfile } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Facts, Tag } from '../../parts/parts.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { FreezeDialog } from './freeze-dialog.tsx';
import { InvitesDialog } from './invites-dialog.tsx';
import { UnmaskDialog } from './unmask-dialog.tsx';

export function PersonDetails({ profile }: { profile: CustomerProfile }) {
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
                <a key="by" className="mono" href={routeHash('customers', profile.invited_by)}>
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
          {hasAnyRole(operator, ['support', 'compliance']) && (
            <>
              <Button size="small" look="soft" icon="eye" onClick={() => setDoing('unmask')}>
                {t('customers.unmask')}
              </Button>
              <Button size="small" look="danger" icon="lock" onClick={() => setDoing('freeze')}>
                {t('customers.freeze')}
              </Button>
            </>
          )}
          {hasAnyRole(operator, ['support', 'compliance', 'admin']) && (
            <Button size="small" look="soft" onClick={() => setDoing('invites')}>
              {t(profile.invite_allowed ? 'customers.take_invites' : 'customers.give_invites')}
            </Button>
          )}
        </div>
        <p className="c">{t('customers.not_here')}</p>
      </div>
      {doing === 'unmask' && <UnmaskDialog id={profile.id} onClose={() => setDoing(null)} />}
      {doing === 'freeze' && <FreezeDialog profile={profile} onClose={() => setDoing(null)} />}
      {doing === 'invites' && <InvitesDialog profile={profile} onClose={() => setDoing(null)} />}
    </section>
  );
}
