import {
  approveCertification,
  type CertificationCase,
  openCertificationPicture,
  readCertificationCase,
  readCertificationPicture,
  refuseCertification,
  sendBackCertification,
} from '@sathorn/api';
import { callServer, useRead } from '@sathorn/app/client';
import { DOCUMENT_SIDES, FOR_LIFE_EXPIRY } from '@sathorn/identity';
import { Button, Icon } from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { useKeys } from '../../keys.ts';
import { CasePane, useOpenNextCase } from '../../parts/case-page.tsx';
import { Chips } from '../../parts/chips.tsx';
import { ClaimBar } from '../../parts/claim.tsx';
import { TextArea } from '../../parts/field.tsx';
import { CheckResults, DueClock, Facts, KeyHint, Tag } from '../../parts/parts.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { goToRoute, routeHash } from '../../route.ts';
import { useAct } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import { useCertificationTexts } from './texts.ts';

const REASONS = [
  'picture_blurry',
  'picture_cut_off',
  'picture_glare',
  'side_missing',
  'wrong_document',
  'document_expired',
  'expiry_differs',
  'name_differs',
  'number_differs',
  'birth_date_differs',
  'not_an_original',
  'selfie_differs',
  'private_field_open',
] as const;
const FINAL = ['document_forged', 'under_age', 'country_not_served', 'duplicate_person'] as const;

export default function CertificationPane({ id }: { id: string }) {
  const { t, code, dateTime } = useTexts();
  const { say } = useCertificationTexts();
  const query = useRead(readCertificationCase, { id }, { freshForMs: 60_000 });
  const [differing, setDiffering] = useState<readonly Typed[]>([]);
  // The pane keeps the version that the operator opened. The server refuses a decision on an outdated version.
  return (
    <CasePane
      query={query}
      head={(shown) => (
        <>
          <h2>
            <bdi>{shown.customer.username}</bdi> · {t(`case.level.${shown.level}`)}
          </h2>
          <Tag look={shown.status === 'review' ? 'brand' : undefined}>{t(`status.${shown.status}`)}</Tag>
          <span className="r">
            {shown.status === 'review' && <DueClock due={shown.promised_at} from={shown.submitted_at} />}
          </span>
        </>
      )}
      bar={(shown) =>
        shown.status === 'review' && <Decide shown={shown} differing={differing} reread={() => void query.refetch()} />
      }
      side={(shown) => (
        <>
          <ClaimBar kind="certification" id={id} />
          <Read shown={shown} differing={differing} onDiffering={setDiffering} />
          <Facts
            facts={[
              [t('case.type'), code('case.type', shown.type)],
              [
                t('customer'),
                <a key="customer" className="mono" href={routeHash('customers', shown.customer.id)}>
                  {shown.customer.id}
                </a>,
              ],
            ]}
          />
          <CheckResults checks={shown.checks} />
          {shown.attempts.length > 0 && (
            <>
              <h3 className="c">{t('case.attempts')}</h3>
              <ul className="plain">
                {shown.attempts.map((attempt) => (
                  <li key={attempt.id} className="row sp sm">
                    <span>
                      {t(`case.level.${attempt.level}`)} · {t(`status.${attempt.status}`)}
                    </span>
                    <span className="c">
                      {attempt.decided_by?.work_name} {dateTime(attempt.decided_at ?? attempt.submitted_at)}
                    </span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    >
      {(shown) =>
        shown.pictures.length > 0 ? <Viewer id={id} shown={shown} /> : <p className="empty">{say('no_pictures')}</p>
      }
    </CasePane>
  );
}

/** The reason to send a case back, by the field that differs from the document. */
const DIFFERS = {
  name: 'name_differs',
  number: 'number_differs',
  birth_date: 'birth_date_differs',
  expires: 'expiry_differs',
} as const;
type Typed = keyof typeof DIFFERS;

/** Shows the typed fields beside the picture. Marking one chooses the reason to send the case back. */
function Read({
  shown,
  differing,
  onDiffering,
}: {
  shown: CertificationCase;
  differing: readonly Typed[];
  onDiffering: (fields: readonly Typed[]) => void;
}) {
  const { t } = useTexts();
  const { say } = useCertificationTexts();
  const { name, number, birth_date: birth, expires } = shown.fields;
  const rows: readonly (readonly [Typed, string])[] = [
    ['name', name],
    ['number', number],
    ['birth_date', birth],
    ...(expires === null ? [] : ([['expires', expires === FOR_LIFE_EXPIRY ? say('for_life') : expires]] as const)),
  ];
  return (
    <table className="s wraps typed">
      <thead>
        <tr>
          <th>{say('field')}</th>
          <th>{say('typed')}</th>
          <th>{say('differs')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([field, value]) => (
          <tr key={field} data-differs={differing.includes(field) ? '' : undefined}>
            <td className="c">{t(`case.${field}`)}</td>
            <td className={field === 'number' ? 'mono b' : 'b'}>
              <bdi>{value}</bdi>
            </td>
            <td>
              {shown.status === 'review' && (
                <input
                  type="checkbox"
                  aria-label={say('differs_of', { field: t(`case.${field}`) })}
                  checked={differing.includes(field)}
                  onChange={({ target }) =>
                    onDiffering(target.checked ? [...differing, field] : differing.filter((one) => one !== field))
                  }
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows one picture at a time. Its address works once and for one minute, and the view is logged. */
function Viewer({ id, shown }: { id: string; shown: CertificationCase }) {
  const { t } = useTexts();
  const open = useAct(openCertificationPicture);
  const [picture, setPicture] = useState<{ side: string; url: string } | null>(null);
  const look = async (side: CertificationCase['pictures'][number]) => {
    const opened = await open.run({ id, picture: side });
    if (!opened.ok) return;
    const ticket = new URL(opened.data.url, location.href).searchParams.get('ticket') ?? '';
    const read = await callServer(readCertificationPicture, { ticket });
    if (read.ok) setPicture({ side, url: read.data.data_url });
  };
  // The front is first, because it has the name and the number.
  const sides = DOCUMENT_SIDES.filter((side) => shown.pictures.includes(side));
  useKeys(Object.fromEntries(sides.map((side, place) => [String(place + 1), () => void look(side)])));
  useEffect(() => {
    if (!picture) return undefined;
    const timer = setTimeout(() => setPicture(null), 60_000);
    return () => clearTimeout(timer);
  }, [picture]);
  return (
    <div className="col">
      <div className="row wrap">
        {sides.map((side, place) => (
          <button
            key={side}
            type="button"
            className="chip"
            data-on={picture?.side === side ? '' : undefined}
            onClick={() => void look(side)}
          >
            {t(`case.side.${side}`)} <KeyHint name={String(place + 1)} />
          </button>
        ))}
        <span className="c">{t('case.views_left', { left: shown.views.left, max: shown.views.max })}</span>
      </div>
      <div className="viewer" data-look="document">
        {picture ? (
          <img
            src={picture.url}
            alt={t(`case.side.${picture.side}` as 'case.side.front')}
            draggable={false}
            onContextMenu={(event) => event.preventDefault()}
          />
        ) : (
          <span className="c">
            <Icon name="eye" size={16} /> {t('case.view_once')}
          </span>
        )}
      </div>
      <RefusalNote refused={open.refused} />
    </div>
  );
}

function Decide({
  shown,
  differing,
  reread,
}: {
  shown: CertificationCase;
  differing: readonly Typed[];
  reread: () => void;
}) {
  const { t, code } = useTexts();
  const { say } = useCertificationTexts();
  const nextCase = useOpenNextCase();
  const who = shown.customer.username;
  const approve = useProposal(approveCertification, t('case.approve'), () => nextCase(say('was_verified', { who })));
  const sendBack = useAct(sendBackCertification);
  const refuse = useProposal(refuseCertification, t('case.refuse').replace('…', ''), ({ approval }) =>
    goToRoute('approvals', approval, { tab: 'made' }),
  );
  const [mode, setMode] = useState<'approve' | 'send_back' | 'refuse'>('approve');
  const [reasons, setReasons] = useState<readonly string[]>([]);
  const [sides, setSides] = useState<readonly string[]>([]);
  const [final, setFinal] = useState<(typeof FINAL)[number]>('document_forged');
  const [isMasked, setMasked] = useState(false);
  const [note, setNote] = useState('');
  // Marking a field opens the form with the field's reason.
  const [marked, setMarked] = useState(differing);
  if (marked !== differing) {
    setMarked(differing);
    const others = reasons.filter((one) => !Object.values<string>(DIFFERS).includes(one));
    setReasons([...others, ...differing.map((field) => DIFFERS[field])]);
    if (differing.length > 0) setMode('send_back');
  }
  useKeys({ a: () => setMode('approve'), r: () => setMode('send_back') });
  const seen = { id: shown.id, version: String(shown.version), ...(note.trim() && { note: note.trim() }) };
  const refused = approve.refused ?? sendBack.refused ?? refuse.refused;
  const toggle = (list: readonly string[], one: string) =>
    list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
  const facts = [
    [t('customer'), <bdi key="customer">{who}</bdi>],
    [t('case.name'), <bdi key="name">{shown.fields.name}</bdi>],
    [t('case.type'), `${code('case.type', shown.type)} · ${t(`case.level.${shown.level}`)}`],
  ] as const;
  const needsMask = shown.pictures.length > 0 && shown.type === 'id_card';
  return (
    <div className="col grow">
      <fieldset className="row wrap labelled" aria-label={t('case.decided')}>
        <Chips
          values={['approve', 'send_back', 'refuse'] as const}
          value={mode}
          onChange={setMode}
          label={(one) => t(`case.${one}`)}
        />
      </fieldset>
      {mode === 'send_back' && (
        <>
          <fieldset className="labelled">
            <legend>{t('case.what_to_redo')}</legend>
            <div className="row wrap">
              {REASONS.map((one) => (
                <label key={one} className="chip" data-on={reasons.includes(one) ? '' : undefined}>
                  <input
                    type="checkbox"
                    checked={reasons.includes(one)}
                    onChange={() => setReasons(toggle(reasons, one))}
                  />
                  {t(`reason.${one}`)}
                </label>
              ))}
            </div>
          </fieldset>
          {shown.pictures.length > 0 && (
            <fieldset className="labelled">
              <legend>{t('case.which_sides')}</legend>
              <div className="row wrap">
                {shown.pictures.map((side) => (
                  <label key={side} className="chip" data-on={sides.includes(side) ? '' : undefined}>
                    <input
                      type="checkbox"
                      checked={sides.includes(side)}
                      onChange={() => setSides(toggle(sides, side))}
                    />
                    {t(`case.side.${side}`)}
                  </label>
                ))}
              </div>
            </fieldset>
          )}
        </>
      )}
      {mode === 'refuse' && (
        <>
          <p className="note" data-look="warn">
            {t('case.refuse_waits')}
          </p>
          <div className="row wrap">
            {FINAL.map((one) => (
              <label key={one} className="chip" data-on={final === one ? '' : undefined}>
                <input type="radio" name="final" checked={final === one} onChange={() => setFinal(one)} />
                {t(`reason.${one}`)}
              </label>
            ))}
          </div>
        </>
      )}
      {mode === 'approve' && needsMask && (
        <label className="row sm">
          <input type="checkbox" checked={isMasked} onChange={({ target }) => setMasked(target.checked)} />
          {t('case.masked')}
        </label>
      )}
      <TextArea label={t('case.note')} value={note} onChange={({ target }) => setNote(target.value)} />
      {refused?.code === 'version_stale' && (
        <p className="note" data-look="warn" role="alert">
          {t('case.stale')}{' '}
          <button type="button" className="link" onClick={reread}>
            {t('act.retry')}
          </button>
        </p>
      )}
      <RefusalNote refused={refused?.code === 'version_stale' ? null : refused} />
      {mode === 'approve' && (
        <Button
          size="small"
          busy={approve.isBusy}
          onClick={() => void approve.propose({ ...seen, ...(isMasked && { masked: 'true' as const }) })}
        >
          {t('case.approve')}
        </Button>
      )}
      {approve.signing && (
        <StepUp {...approve.signing} decision={{ ...approve.signing.decision, act: t('case.approve') }}>
          <Facts facts={facts} />
        </StepUp>
      )}
      {refuse.signing && (
        <StepUp {...refuse.signing}>
          <Facts facts={[...facts, [t('customers.reason'), t(`reason.${final}`)]]} />
        </StepUp>
      )}
      {mode === 'send_back' && (
        <Button
          size="small"
          busy={sendBack.isBusy}
          disabled={reasons.length === 0}
          onClick={async () => {
            const done = await sendBack.run({
              ...seen,
              reasons: reasons.join(','),
              ...(sides.length > 0 && { sides: sides.join(',') }),
            });
            if (done.ok) nextCase(say('was_sent_back', { who }));
          }}
        >
          {t('case.send_back')}: {reasons.map((one) => code('reason', one)).join(', ')}
        </Button>
      )}
      {mode === 'refuse' && (
        <Button
          size="small"
          look="danger"
          busy={refuse.isBusy}
          onClick={() => void refuse.propose({ ...seen, reason: final })}
        >
          {t('approvals.ask')}
        </Button>
      )}
    </div>
  );
}
