import { listOperators } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Tag } from '../parts/parts.tsx';
import { Loaded } from '../parts/states.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { Top } from '../shell/top.tsx';

export default function Operators() {
  const { t, dateTime } = useTexts();
  const query = useRead(listOperators, {}, { everyMs: 15_000 });
  return (
    <>
      <Top title={t('nav.operators')} isStale={query.isError} />
      <div className="page">
        <section className="card split">
          <Loaded query={query}>
            {(people) => (
              <div className="scroll">
                <table>
                  <thead>
                    <tr>
                      <th>{t('sign_in.name')}</th>
                      <th>{t('operators.roles')}</th>
                      <th>{t('operators.state')}</th>
                      <th className="num">{t('operators.devices')}</th>
                      <th>{t('operators.seen')}</th>
                    </tr>
                  </thead>
                  <tbody>
                    {people.map((person) => (
                      <tr key={person.id}>
                        <td className="b">{person.work_name}</td>
                        <td>{person.roles.map((role) => t(`role.${role}`)).join(', ')}</td>
                        <td>
                          <Tag look={person.state === 'active' ? 'ok' : 'warn'}>{t(`operators.${person.state}`)}</Tag>
                        </td>
                        <td className="num">{person.devices}</td>
                        <td className="m">{person.seen_at ? dateTime(person.seen_at) : '–'}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
                <p className="foot c">{t('operators.how')}</p>
              </div>
            )}
          </Loaded>
        </section>
      </div>
    </>
  );
}
