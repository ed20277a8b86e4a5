import { listEntries } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { hasAnyRole, useOperator } from '../operator.ts';
import { CasePage } from '../parts/case-page.tsx';
import { Pager } from '../parts/pager.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { useLiveRead } from '../parts/use-live-read.ts';
import { goToRoute, useRoute } from '../route.ts';
import { CheckLog } from './audit/check-log.tsx';
import { EntryPane } from './audit/entry-pane.tsx';
import { ExportButton } from './audit/export-log.tsx';
import { VerifyFile } from './audit/verify-file.tsx';

const FILTERS = ['who', 'what', 'on'] as const;

export default function Audit() {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const { filter } = useRoute();
  const [page, setPage] = useState<string | null>(null);
  const isReader = hasAnyRole(operator, ['compliance', 'finance', 'admin']);
  const at = Object.fromEntries(FILTERS.flatMap((name) => (filter[name] ? [[name, filter[name]]] : [])));
  const query = useLiveRead(listEntries, { ...at, ...(page !== null && { page }) });
  return (
    <CasePage
      page="audit"
      title={t('nav.audit')}
      at={at}
      query={query}
      items={({ items }) => items.map((entry) => ({ id: entry.n, ...entry }))}
      empty={t('audit.none')}
      head={
        <form
          className="hd wrap"
          onSubmit={(event) => {
            event.preventDefault();
            const values = [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value).trim()]);
            setPage(null);
            goToRoute('audit', null, Object.fromEntries(values));
          }}
        >
          {FILTERS.map((name) => (
            <input
              key={name}
              name={name}
              data-find={name === 'who' ? '' : undefined}
              className="field"
              aria-label={t(`audit.${name}`)}
              placeholder={t(`audit.${name}`)}
              defaultValue={filter[name]}
            />
          ))}
          <Button type="submit" size="small" icon="search">
            {t('act.find')}
          </Button>
        </form>
      }
      table={{
        look: 's',
        head: (
          <>
            <th className="num">{t('audit.number')}</th>
            <th>{t('ledger.at')}</th>
            <th>{t('audit.who')}</th>
            <th>{t('audit.what')}</th>
            <th>{t('audit.on')}</th>
          </>
        ),
        cells: (entry, href) => (
          <>
            <td className="num mono">
              <a href={href}>{entry.n}</a>
            </td>
            <td className="m">{dateTime(entry.at)}</td>
            <td>
              <b>{entry.who?.work_name ?? t('audit.platform')}</b>{' '}
              <span className="c">{entry.roles.map((role) => t(`role.${role as 'admin'}`)).join(', ')}</span>
            </td>
            <td>{code('what', entry.what)}</td>
            <td className="mono trim">{entry.on.id}</td>
          </>
        ),
      }}
      foot={({ next }) => (
        <>
          <Pager page={page} next={next} onPage={setPage} />
          {isReader && (
            <div className="foot wrap" role="status">
              <CheckLog />
              {hasAnyRole(operator, ['compliance', 'admin']) && <ExportButton at={at} />}
              <VerifyFile />
            </div>
          )}
        </>
      )}
      pane={(id) => {
        const entry = query.data?.items.find(({ n }) => n === id);
        return entry ? <EntryPane entry={entry} /> : <p className="empty wide-only">{t('pane.choose')}</p>;
      }}
    />
  );
}
