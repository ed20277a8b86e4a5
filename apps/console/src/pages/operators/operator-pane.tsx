import { type ListedOperator, type listOperators, type ResultOf, renewAccess, unfreezeOperator } from '@sathorn/api';
import type { CallFault } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useKeys } from '../../keys.ts';
import { useOperator } from '../../operator.ts';
import { CasePane } from '../../parts/case-page.tsx';
import { Facts, KeyHint, Tag } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute, routeHash } from '../../route.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useProposal } from '../../use-proposal.ts';
import { ChangeRolesDialog } from './change-roles-dialog.tsx';
import { EnrolmentLinkDialog } from './enrolment-link-dialog.tsx';
import { LiftSignInDelay } from './lift-sign-in-delay.tsx';
import { operatorStateLook } from './operator-state-look.ts';
import { StopOperatorDialog } from './stop-operator-dialog.tsx';

type Doing = 'roles' | 'device' | 'unfreeze' | 'freeze' | 'remove';

export function OperatorPane({
  id,
  query,
}: {
  id: string;
  query: UseQueryResult<ResultOf<typeof listOperators>, CallFault>;
}) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const [doing, setDoing] = useState<Doing | null>(null);
  const person = query.data?.find((one) => one.id === id);
  const isMine = operator?.id === id;
  const mayChange = person !== undefined && !isMine && person.state !== 'removed';
  useKeys({
    r: () => mayChange && setDoing('roles'),
    f: () => mayChange && person.state !== 'frozen' && setDoing('freeze'),
  });
  if (query.data && !person) return <p className="empty wide-only">{t('operators.unknown')}</p>;
  const close = () => setDoing(null);
  return (
    <CasePane
      query={query}
      head={() =>
        person && (
          <>
            <h2>{person.work_name}</h2>
            <Tag look={operatorStateLook(person.state)}>{t(`operators.${person.state}`)}</Tag>
          </>
        )
      }
      bar={() =>
        mayChange && (
          <>
            <Button size="small" look="soft" onClick={() => setDoing('roles')}>
              {t('operators.change_roles')} <KeyHint name="r" />
            </Button>
            <Button size="small" look="soft" icon="key" onClick={() => setDoing('device')}>
              {t('operators.lost_device')}
            </Button>
            {person.state === 'frozen' ? (
              <Button size="small" look="soft" onClick={() => setDoing('unfreeze')}>
                {t('operators.unfreeze')}
              </Button>
            ) : (
              <Button size="small" look="danger" icon="lock" onClick={() => setDoing('freeze')}>
                {t('operators.freeze')} <KeyHint name="f" />
              </Button>
            )}
            <Button size="small" look="danger" onClick={() => setDoing('remove')}>
              {t('operators.remove')}
            </Button>
          </>
        )
      }
    >
      {() =>
        person && (
          <>
            <Facts
              facts={[
                [t('operators.roles'), person.roles.map((role) => t(`role.${role}`)).join(', ')],
                [t('operators.sessions'), person.sessions],
                [t('operators.seen'), person.seen_at ? dateTime(person.seen_at) : '–'],
                [t('operators.devices'), person.devices],
                [t('operators.recovery_codes'), person.recovery_codes],
                [t('operators.enrol_until'), person.enrol_until ? dateTime(person.enrol_until) : '–'],
              ]}
            />
            {person.waiting.map(({ kind, approval }) => (
              <p key={approval} className="note">
                {t('operators.waits')}{' '}
                <a href={routeHash('approvals', approval, { tab: 'waiting' })}>{code('approval', kind)}</a>
              </p>
            ))}
            <LiftSignInDelay person={person} />
            <p className="c">{t(isMine ? 'operators.own' : 'operators.stop_one_start_two')}</p>
            <p className="sm">
              <a href={routeHash('audit', null, { who: person.work_name })}>{t('operators.log')}</a>
            </p>
            {doing === 'roles' && <ChangeRolesDialog person={person} onClose={close} />}
            {doing === 'device' && <RenewAccess person={person} onClose={close} />}
            {doing === 'unfreeze' && <Unfreeze person={person} onClose={close} />}
            {(doing === 'freeze' || doing === 'remove') && (
              <StopOperatorDialog person={person} how={doing} onClose={close} />
            )}
          </>
        )
      }
    </CasePane>
  );
}

function Unfreeze({ person, onClose }: { person: ListedOperator; onClose: () => void }) {
  const { t } = useTexts();
  const title = `${t('operators.unfreeze')}: ${person.work_name}`;
  const unfreeze = useProposal(unfreezeOperator, title, ({ approval }) => {
    goToRoute('approvals', approval, { tab: 'made' });
    onClose();
  });
  return (
    <>
      <ReasonDialog
        title={title}
        act={t('approvals.ask')}
        {...unfreeze}
        onClose={onClose}
        onSend={(reason) => unfreeze.propose({ id: person.id, reason })}
      />
      {unfreeze.signing && (
        <StepUp {...unfreeze.signing}>
          <Facts
            facts={[
              [t('operators.roles'), person.roles.map((role) => t(`role.${role}`)).join(', ')],
              [t('operators.state'), t(`operators.${person.state}`)],
              [t('customers.reason'), unfreeze.request?.reason],
            ]}
          />
        </StepUp>
      )}
    </>
  );
}

/** For a lost device: ends all of the operator's access, so that they must enrol again. */
function RenewAccess({ person, onClose }: { person: ListedOperator; onClose: () => void }) {
  const { t } = useTexts();
  const title = `${t('operators.lost_device')}: ${person.work_name}`;
  const [asked, setAsked] = useState<{ approval: string; link: string } | null>(null);
  const renew = useProposal(renewAccess, title, setAsked);
  if (asked)
    return (
      <Dialog label={t('operators.link')} onClose={onClose}>
        <EnrolmentLinkDialog {...asked} onClose={onClose} />
      </Dialog>
    );
  return (
    <>
      <ReasonDialog
        title={title}
        act={t('approvals.ask')}
        {...renew}
        onClose={onClose}
        // The link that comes back is shown in this dialog's place.
        onSend={async (reason) => (await renew.propose({ id: person.id, reason })) && false}
      >
        <p className="note">{t('operators.renew_what')}</p>
      </ReasonDialog>
      {renew.signing && (
        <StepUp {...renew.signing}>
          <Facts
            facts={[
              [t('operators.roles'), person.roles.map((role) => t(`role.${role}`)).join(', ')],
              [t('operators.devices'), person.devices],
              [t('customers.reason'), renew.request?.reason],
            ]}
          />
          <p className="note">{t('operators.renew_what')}</p>
        </StepUp>
      )}
    </>
  );
}
