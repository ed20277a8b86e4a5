import { Card, useText } from '@sathorn/ui';
import type { ReactNode } from 'react';

export interface Change {
  readonly name: string;
  readonly now: ReactNode;
  readonly after: ReactNode;
}

/** What an action changes: values before and after. */
export function ChangesCard({ changes, note }: { changes: readonly Change[]; note?: ReactNode }) {
  const { t } = useText<'earning'>();
  return (
    <Card>
      <h2 className="earning-card-title">{t('earning.changes')}</h2>
      <table className="earning-changes num">
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{t('earning.changes')}</span>
            </th>
            <th scope="col">{t('earning.now')}</th>
            <th scope="col">{t('earning.after')}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ name, now, after }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{now}</td>
              <td>
                <b>{after}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {note && <p className="cap">{note}</p>}
    </Card>
  );
}
