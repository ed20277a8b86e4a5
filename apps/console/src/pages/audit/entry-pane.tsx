import type { EntryView } from '@sathorn/api';
import { Facts } from '../../parts/parts.tsx';
import { ScrollRegion } from '../../parts/scroll-region.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';

export function EntryPane({ entry }: { entry: EntryView }) {
  const { t, code, dateTime } = useTexts();
  return (
    <section className="card split pane">
      <div className="hd line">
        <h2>
          {t('audit.entry')} {entry.n}
        </h2>
        <span className="r">{dateTime(entry.at)}</span>
      </div>
      <ScrollRegion look="bd col" label={t('pane.case')}>
        <Facts
          facts={[
            [t('audit.what'), code('what', entry.what)],
            [t('audit.who'), entry.who?.work_name ?? t('audit.platform')],
            [t('audit.roles'), entry.roles.map((role) => t(`role.${role as 'admin'}`)).join(', ') || '–'],
            [t('audit.device'), entry.device ?? '–'],
            [t('audit.on'), <span key="on" className="mono">{`${entry.on.kind} ${entry.on.id}`}</span>],
            [
              t('customer'),
              entry.customer ? (
                <a key="customer" className="mono" href={routeHash('customers', entry.customer)}>
                  {entry.customer}
                </a>
              ) : (
                '–'
              ),
            ],
            [t('audit.reason'), entry.reason ? code('reason', entry.reason) : '–'],
          ]}
        />
        {entry.note && (
          <p className="note">
            <bdi>{entry.note}</bdi>
          </p>
        )}
        {(['before', 'after'] as const).map(
          (side) =>
            entry[side] !== null && (
              <div key={side}>
                <h3 className="c">{t(`audit.${side}`)}</h3>
                <pre className="mono note">{JSON.stringify(entry[side], null, 2)}</pre>
              </div>
            ),
        )}
        <h3 className="c">{t('audit.text')}</h3>
        <pre className="mono note break">{entry.text}</pre>
        <p className="c">
          SHA-256 <span className="mono break">{entry.hash}</span>
        </p>
      </ScrollRegion>
    </section>
  );
}
