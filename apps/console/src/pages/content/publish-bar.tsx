import { type ContentEntry, publishContent, takeDownContent } from '@sathorn/api';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { brand } from '#brand';
import { useKeys } from '../../keys.ts';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { Field, Select } from '../../parts/field.tsx';
import { fromLocalInput, toLocalInput } from '../../parts/local-time.ts';
import { Facts, KeyHint } from '../../parts/parts.tsx';
import { ReasonDialog } from '../../parts/reason-dialog.tsx';
import { RefusalNote } from '../../parts/states.tsx';
import { StepUp } from '../../parts/step-up.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { type RefusedAct, useAct } from '../../use-act.ts';
import { useProposal } from '../../use-proposal.ts';
import { isSingleKind } from './drafts.ts';
import { audienceText } from './history.tsx';

const NOTICE_DAYS = 7;
const DAY_MS = 86_400_000;

export interface PublishBarProps {
  readonly entry: ContentEntry;
  readonly isUnsaved: boolean;
}

/** Chooses the time and the audience, then publishes or asks a second person for approval. */
export default function PublishBar({ entry, isUnsaved }: PublishBarProps) {
  const { t, code, dateTime } = useTexts();
  const operator = useOperator();
  const publish = useAct(publishContent);
  const proposal = useProposal(publishContent, t('content.ask'));
  const takeDown = useAct(takeDownContent);
  const isNotice = entry.kind === 'notice';
  const [from, setFrom] = useState(() =>
    entry.notice_days === null ? '' : toLocalInput(Date.now() + (entry.notice_days + 1) * DAY_MS, brand.timeZone),
  );
  const [to, setTo] = useState(() => (isNotice ? toLocalInput(Date.now() + NOTICE_DAYS * DAY_MS, brand.timeZone) : ''));
  const [audience, setAudience] = useState<'all' | 'level' | 'customer'>('all');
  const [which, setWhich] = useState('');
  const [isAccepted, setAccepted] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [isTaking, setTaking] = useState(false);
  const mayWrite = hasAnyRole(operator, ['content']);
  const isUp = ['published', 'scheduled', 'waiting'].includes(entry.status) && !isSingleKind(entry.kind);

  const missing = entry.checks.filter(({ code: check, ok }) => check === 'language_missing' && !ok).length;
  const isBlocked = entry.checks.some(({ ok, blocks, code: check }) => !ok && blocks && check !== 'language_missing');
  const people = isNotice ? (audience === 'customer' ? 1 : 2) : entry.people;
  const request = {
    id: entry.id,
    version: String(entry.version),
    fingerprint: entry.fingerprint,
    audience: audience === 'all' ? 'all' : `${audience}:${which}`,
    ...(from !== '' && { from: fromLocalInput(from, brand.timeZone)?.toISOString() ?? from }),
    ...(to !== '' && { to: fromLocalInput(to, brand.timeZone)?.toISOString() ?? to }),
    ...(isAccepted && { missing: 'accepted' as const }),
  };
  const send = async (step_up?: string): Promise<RefusedAct | null> => {
    const done = await publish.run({ ...request, ...(step_up !== undefined && { step_up }) });
    return done.ok ? null : done.refused;
  };
  const begin = () => {
    if (people === 1) setConfirming(true);
    // The maker signs the start, so none, or one in the past, becomes now.
    else {
      const { from: begins } = request;
      const isPast = begins === undefined || Date.parse(begins) < Date.now();
      void proposal.propose({ ...request, from: isPast ? new Date().toISOString() : begins });
    }
  };
  const facts = (
    <Facts
      facts={[
        [t('content.title'), <bdi key="title">{entry.title}</bdi>],
        [t('content.audience'), audienceText(request.audience, t, code)],
        [t('content.from'), request.from ? dateTime(request.from) : t('content.at_once')],
        [t('content.until'), request.to ? dateTime(request.to) : '–'],
      ]}
    />
  );
  const refused = publish.refused ?? proposal.refused;
  const mayPublish = mayWrite && !isUnsaved && !isBlocked && entry.waiting === null && (missing === 0 || isAccepted);
  useKeys({ 'mod+enter': () => mayPublish && begin() });
  return (
    <>
      {mayWrite && (
        <div className="schedule">
          <Field
            label={t('content.from')}
            type="datetime-local"
            value={from}
            onChange={({ target }) => setFrom(target.value)}
            fault={refused?.fields.from}
          />
          {!isSingleKind(entry.kind) && (
            <Field
              label={t('content.until')}
              type="datetime-local"
              value={to}
              onChange={({ target }) => setTo(target.value)}
              fault={refused?.fields.to}
            />
          )}
          {!isSingleKind(entry.kind) && (
            <Select
              label={t('content.audience')}
              value={audience}
              onChange={({ target }) => setAudience(target.value as typeof audience)}
              options={(isNotice ? (['all', 'level', 'customer'] as const) : (['all', 'level'] as const)).map((one) => [
                one,
                t(`content.to.${one}`),
              ])}
            />
          )}
          {audience !== 'all' && (
            <Field
              label={t(audience === 'level' ? 'content.which_level' : 'content.which_customer')}
              inputMode="numeric"
              value={which}
              onChange={({ target }) => setWhich(target.value)}
              fault={refused?.fields.audience}
            />
          )}
        </div>
      )}
      {mayWrite && missing > 0 && (
        <label className="row sm">
          <input type="checkbox" checked={isAccepted} onChange={({ target }) => setAccepted(target.checked)} />
          {t('content.accept_missing', { n: missing })}
        </label>
      )}
      {entry.waiting && (
        <p className="note" data-look="warn">
          {t('content.waits', {
            by: entry.waiting.made_by.work_name,
            audience: audienceText(entry.waiting.audience, t, code),
          })}{' '}
          {hasAnyRole(operator, ['compliance', 'admin']) && (
            <a href={routeHash('approvals', entry.waiting.approval)}>{t('nav.approvals')}</a>
          )}
        </p>
      )}
      <RefusalNote refused={refused ?? takeDown.refused} />
      <div className="foot wrap">
        <span className="c grow">{t(isUnsaved ? 'content.unsaved' : 'content.kept')}</span>
        {isUp && (
          <Button size="small" look="danger" onClick={() => setTaking(true)}>
            {t('content.take_down')}
          </Button>
        )}
        {mayWrite && (
          <Button size="small" disabled={!mayPublish} busy={publish.isBusy || proposal.isBusy} onClick={begin}>
            {t(people === 1 ? 'content.publish' : 'content.ask')} <KeyHint name="⌘↵" />
          </Button>
        )}
      </div>
      {proposal.signing && <StepUp {...proposal.signing}>{facts}</StepUp>}
      {isConfirming && (
        <StepUp
          decision={{
            op: 'content.publish',
            id: entry.id,
            fingerprint: entry.fingerprint,
            title: t('content.publish'),
            act: t('content.publish'),
          }}
          onClose={() => setConfirming(false)}
          onConfirmed={send}
        >
          {facts}
        </StepUp>
      )}
      {isTaking && (
        <ReasonDialog
          title={t('content.take_down')}
          refused={takeDown.refused}
          isBusy={takeDown.isBusy}
          isDanger
          onSend={async (reason) => (await takeDown.run({ id: entry.id, reason })).ok}
          onClose={() => setTaking(false)}
        >
          <p>{t('content.take_down_note')}</p>
        </ReasonDialog>
      )}
    </>
  );
}
