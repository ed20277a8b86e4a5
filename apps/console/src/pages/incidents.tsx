import { closeIncident, type IncidentCase, listIncidents, updateIncident } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useKeys } from '../keys.ts';
import { hasAnyRole, useOperator } from '../operator.ts';
import { CasePage, CasePane } from '../parts/case-page.tsx';
import { Facts, KeyHint, Tag } from '../parts/parts.tsx';
import { StepUp } from '../parts/step-up.tsx';
import { useTexts } from '../parts/texts/index.ts';
import { routeHash } from '../route.ts';
import { useAct } from '../use-act.ts';
import { useProposal } from '../use-proposal.ts';
import { LanguageTexts } from './approvals/changes.tsx';
import { IncidentTextFields } from './incidents/incident-text-fields.tsx';
import { OpenIncidentDialog } from './incidents/open-incident-dialog.tsx';

const LOOKS = { notice: 'brand', degraded: 'warn', outage: 'danger' } as const;

/** Manages the incidents of the public status page. One person opens an incident; closing an outage needs two. */
export default function Incidents() {
  const { t, code, dateTime } = useTexts();
  const query = useRead(listIncidents, {}, { everyMs: 5_000 });
  const [isOpening, setOpening] = useState(false);
  useKeys({ n: () => setOpening(true) });
  const partsOf = ({ parts }: IncidentCase) => parts.map((part) => code('incident.part', part)).join(' · ');
  return (
    <>
      <CasePage
        page="incidents"
        title={t('nav.incidents')}
        query={query}
        items={({ items }) => items}
        empty={t('incidents.none')}
        head={
          <div className="hd">
            <h2>{t('incidents.public')}</h2>
            <span className="r">
              <Button size="small" look="danger" onClick={() => setOpening(true)}>
                {t('incidents.open')} <KeyHint name="n" />
              </Button>
            </span>
          </div>
        }
        line={(incident) => (
          <>
            <span className="row sp">
              <b>{partsOf(incident)}</b>
              <Tag look={incident.closed_at ? undefined : LOOKS[incident.severity]}>
                {incident.closed_at ? t('incidents.closed') : code('incident.severity', incident.severity)}
              </Tag>
            </span>
            <span className="c">
              {dateTime(incident.opened_at)} · {incident.opened_by.work_name}
            </span>
          </>
        )}
        pane={(id) => <IncidentPane key={id} id={id} query={query} partsOf={partsOf} />}
      />
      {isOpening && <OpenIncidentDialog onClose={() => setOpening(false)} />}
    </>
  );
}

function IncidentPane({
  id,
  query,
  partsOf,
}: {
  id: string;
  query: ReturnType<typeof useRead<typeof listIncidents>>;
  partsOf: (incident: IncidentCase) => string;
}) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const update = useAct(updateIncident);
  const [doing, setDoing] = useState<'update' | 'close' | null>(null);
  const close = useProposal(closeIncident, t('incidents.ask_close'), () => setDoing(null));
  const incident = query.data?.items.find((one) => one.id === id);
  // The end of an outage needs a second person.
  const isOutage = incident?.severity === 'outage';
  const closing = t(isOutage ? 'incidents.ask_close' : 'incidents.close');
  const isOpen = incident !== undefined && incident.closed_at === null;
  const mayClose = isOpen && incident.closing === null && hasAnyRole(operator, ['compliance', 'finance', 'admin']);
  useKeys({ u: () => isOpen && setDoing('update'), c: () => mayClose && setDoing('close') });
  if (query.data && !incident) return <p className="empty wide-only">{t('incidents.unknown')}</p>;
  const act = doing === 'close' ? close : update;
  return (
    <>
      <CasePane
        query={query}
        head={() =>
          incident && (
            <>
              <h2>{partsOf(incident)}</h2>
              <Tag look={LOOKS[incident.severity]}>{code('incident.severity', incident.severity)}</Tag>
              {incident.closing && (
                <a href={routeHash('approvals', incident.closing)}>
                  <Tag look="brand">{t('terms.needs_one')}</Tag>
                </a>
              )}
            </>
          )
        }
        bar={() =>
          isOpen && (
            <>
              <Button size="small" look="soft" icon="edit" onClick={() => setDoing('update')}>
                {t('incidents.update')} <KeyHint name="u" />
              </Button>
              {mayClose && (
                <Button size="small" onClick={() => setDoing('close')}>
                  {closing} <KeyHint name="c" />
                </Button>
              )}
            </>
          )
        }
      >
        {() =>
          incident && (
            <>
              <p className="c">
                {t('incidents.opened')} {dateTime(incident.opened_at)} · {incident.opened_by.work_name}
                {incident.closed_at && ` · ${t('incidents.closed')} ${dateTime(incident.closed_at)}`}
              </p>
              {[...incident.updates].reverse().map((said) => (
                <article key={said.at} className="col">
                  <p className="c">
                    {dateTime(said.at)} · {said.by.work_name}
                  </p>
                  {Object.entries(said.texts).map(([language, words]) => (
                    <p key={language} lang={language === 'jp' ? 'ja' : language} dir="auto">
                      <span className="c">{language}</span> {words}
                    </p>
                  ))}
                </article>
              ))}
            </>
          )
        }
      </CasePane>
      {doing && (
        <IncidentTextFields
          title={doing === 'close' ? closing : t('incidents.update')}
          act={doing === 'close' ? closing : undefined}
          note={t(doing === 'close' && isOutage ? 'incidents.close_note' : 'incidents.kept_note')}
          refused={act.refused}
          isBusy={act.isBusy}
          onClose={() => setDoing(null)}
          onSend={async (texts) => {
            if (doing === 'close') await close.propose({ id, ...texts });
            else if ((await update.run({ id, ...texts })).ok) setDoing(null);
          }}
        />
      )}
      {incident && close.signing && (
        <StepUp {...close.signing}>
          <Facts facts={[[t('incidents.parts'), partsOf(incident)]]} />
          <LanguageTexts after={writtenTexts(close.request)} />
        </StepUp>
      )}
    </>
  );
}

/** The texts of a request, by language. */
const writtenTexts = (request: object | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(request ?? {}).flatMap(([field, text]) =>
      field.startsWith('text_') ? [[field.slice('text_'.length), String(text)]] : [],
    ),
  );
