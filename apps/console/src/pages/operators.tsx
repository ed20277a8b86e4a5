import { listOperators } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { CasePage } from '../parts/case-page.tsx';
import { KeyHint, Tag } from '../parts/parts.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { InviteOperatorDialog } from './operators/invite-operator-dialog.tsx';
import { OperatorPane } from './operators/operator-pane.tsx';
import { operatorStateLook } from './operators/operator-state-look.ts';

export default function Operators() {
  const { t, code, dateTime } = useTexts();
  const query = useLiveRead(listOperators, {});
  const [isInviting, setInviting] = useState(false);
  useKeys({ i: () => setInviting(true) });
  return (
    <>
      <CasePage
        page="operators"
        title={t('nav.operators')}
        query={query}
        items={(people) => people}
        empty={t('operators.none')}
        head={
          <div className="hd">
            <h2>{t('operators.two_people')}</h2>
            <span className="r">
              <Button size="small" icon="person" onClick={() => setInviting(true)}>
                {t('operators.invite')} <KeyHint name="i" />
              </Button>
            </span>
          </div>
        }
        table={{
          look: '',
          head: (
            <>
              <th>{t('sign_in.name')}</th>
              <th>{t('operators.roles')}</th>
              <th>{t('operators.state')}</th>
              <th className="num">{t('operators.devices')}</th>
              <th>{t('operators.seen')}</th>
            </>
          ),
          cells: (person, href) => (
            <>
              <td className="b">
                <a href={href}>{person.work_name}</a>
              </td>
              <td>{person.roles.map((role) => t(`role.${role}`)).join(', ')}</td>
              <td>
                <span className="row">
                  <Tag look={operatorStateLook(person.state)}>{t(`operators.${person.state}`)}</Tag>
                  {person.waiting.map(({ kind, approval }) => (
                    <Tag key={approval} look="brand">
                      {code('approval', kind)}
                    </Tag>
                  ))}
                </span>
              </td>
              <td className="num">{person.devices}</td>
              <td className="m">{person.seen_at ? dateTime(person.seen_at) : '–'}</td>
            </>
          ),
        }}
        foot={() => <p className="foot c">{t('operators.how')}</p>}
        pane={(id) => <OperatorPane key={id} id={id} query={query} />}
      />
      {isInviting && <InviteOperatorDialog onClose={() => setInviting(false)} />}
    </>
  );
}
