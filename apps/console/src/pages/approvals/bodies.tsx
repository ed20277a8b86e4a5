import { type ApprovalView, listReadyAnswers } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import { may, useOperator } from '../../operator.ts';
import { CustomerSees, Facts } from '../../parts/parts.tsx';
import { type Texts, useTexts } from '../../parts/texts/index.ts';
import { hashOf } from '../../route.ts';
import { audienceText } from '../content/history.tsx';
import { ApprovedOffer } from '../offer/diff.tsx';
import { Changes, Wordings } from './changes.tsx';
import { codesIn, partsIn, textIn, textsIn, titleIn } from './contents.ts';
import { useApprovalTexts } from './texts.ts';

export interface BodyProps {
  readonly shown: ApprovalView;
  /** True in the dialog that confirms the decision: it omits what the page beneath it shows. */
  readonly isRestated?: boolean;
}

const loadCheckText: LoadPart<{ id: string }> = () => import('../content/check-text.tsx');

export function ContentBody({ shown: { content, status, subject }, isRestated }: BodyProps) {
  const { t, code, dateTime } = useTexts();
  const to = textIn(content, 'to');
  return (
    <>
      {status === 'waiting' && !isRestated && (
        <Late load={loadCheckText}>{(CheckText) => <CheckText id={subject} />}</Late>
      )}
      <Facts
        facts={[
          [code('content.kind', textIn(content, 'kind')), <bdi key="title">{titleIn(content)}</bdi>],
          [t('content.audience'), audienceText(textIn(content, 'audience'), t, code)],
          [t('field.from'), dateTime(textIn(content, 'from'))],
          ...(to === '' ? [] : [[t('field.to'), dateTime(to)] as const]),
          [t('field.languages'), codesIn(content, 'languages').join(', ')],
        ]}
      />
    </>
  );
}

export function OfferBody({ shown: { content } }: BodyProps) {
  const { say } = useApprovalTexts();
  return (
    <>
      <ApprovedOffer content={content} />
      <CustomerSees>{say('seen.offer')}</CustomerSees>
    </>
  );
}

export function FreezeBody({ shown: { kind, content } }: BodyProps) {
  const { t, code, dateTime } = useTexts();
  const { say } = useApprovalTexts();
  const until = textIn(content, 'until');
  return (
    <>
      <Facts
        facts={[
          [
            t('customer'),
            <a key="customer" href={hashOf('customers', textIn(content, 'customer'))}>
              <bdi>{textIn(content, 'username')}</bdi>
            </a>,
          ],
          [t('field.scopes'), scopesIn(content, code)],
          [t('customers.reason'), code('reason', textIn(content, 'reason'))],
        ]}
      />
      <Changes
        changes={[
          {
            label: say('lasts'),
            before: dateTime(textIn(content, 'until_now')),
            after: until === '' ? say('lasts.at_once') : dateTime(until),
          },
        ]}
      />
      <CustomerSees>{say(kind === 'freeze_lift' ? 'seen.freeze_lift' : 'seen.freeze_extend')}</CustomerSees>
    </>
  );
}
const scopesIn = (content: ApprovalView['content'], code: Texts['code']): string =>
  codesIn(content, 'scopes')
    .map((scope) => code('scope', scope))
    .join(', ');

export function PauseBody({ shown: { content } }: BodyProps) {
  const { code, dateTime } = useTexts();
  const { say } = useApprovalTexts();
  const what = code('pausable', textIn(content, 'subject'));
  return (
    <>
      <Changes
        changes={[
          {
            label: `${what} (${code('pause', textIn(content, 'kind'))})`,
            before: say('paused', { since: dateTime(textIn(content, 'since')) }),
            after: say('pause.ends'),
          },
        ]}
      />
      <CustomerSees>{say('seen.pause_end', { what })}</CustomerSees>
    </>
  );
}

export function IncidentBody({ shown: { content, subject } }: BodyProps) {
  const { code } = useTexts();
  const { say } = useApprovalTexts();
  return (
    <>
      <Changes
        changes={[
          {
            label: `${code('incident.severity', textIn(content, 'severity'))}: ${partsIn(content, code)}`,
            before: <a href={hashOf('incidents', subject)}>{say('incident.open')}</a>,
            after: say('incident.closed'),
          },
        ]}
      />
      <Wordings after={textsIn(content.texts)} />
      <CustomerSees>{say('seen.incident')}</CustomerSees>
    </>
  );
}

export function ReadyBody({ shown: { content, status }, isRestated }: BodyProps) {
  const { t } = useTexts();
  const { say } = useApprovalTexts();
  const operator = useOperator();
  // A decided approval's text is already in force, so there is nothing to compare.
  const isCompared = status === 'waiting' && may(operator, ['support', 'compliance', 'content', 'admin']);
  const { data } = useRead(listReadyAnswers, {}, { enabled: isCompared });
  const before = isCompared ? data?.find(({ code }) => code === textIn(content, 'code'))?.texts : undefined;
  const after = Object.fromEntries(
    Object.entries(textsIn(content))
      .filter(([name]) => name.startsWith('text_'))
      .map(([name, words]) => [name.replace('text_', ''), words]),
  );
  return (
    <>
      <p>
        <b className="mono">/{textIn(content, 'code')}</b>{' '}
        <span className="c">{t('support.ready_version', { version: textIn(content, 'version') })}</span>
      </p>
      <Wordings {...(before && { before })} after={after} />
      {!isRestated && <CustomerSees>{say('seen.ready', { code: textIn(content, 'code') })}</CustomerSees>}
    </>
  );
}

export function OperatorBody({ shown: { kind, content } }: BodyProps) {
  const { t, code } = useTexts();
  const { say, word } = useApprovalTexts();
  const roles = (name: string) =>
    codesIn(content, name)
      .map((role) => code('role', role))
      .join(', ');
  const now = roles('roles_now') || say('access.none');
  const changes = {
    operator_invite: { label: say('access.roles'), before: say('access.none'), after: roles('roles') },
    operator_role: { label: say('access.roles'), before: now, after: roles('roles') || say('access.none') },
    operator_device: {
      label: say('access.device'),
      before: `${word('access.state', textIn(content, 'state'))} · ${say('access.device.now', { devices: textIn(content, 'devices') })}`,
      after: say('access.device.next'),
    },
    operator_unfreeze: {
      label: say('access.sign_in'),
      before: say('access.state.frozen'),
      after: say('access.state.active'),
    },
  };
  return (
    <>
      <Facts
        facts={[
          [t('field.work_name'), <b key="name">{textIn(content, 'work_name')}</b>],
          ...(kind === 'operator_device' || kind === 'operator_unfreeze' ? [[say('access.roles'), now] as const] : []),
          ...(textIn(content, 'customer') === ''
            ? []
            : [[say('operator.account'), <span key="account">{textIn(content, 'customer')}</span>] as const]),
        ]}
      />
      <Changes changes={[changes[kind as keyof typeof changes]]} />
      <CustomerSees>{say('seen.nothing')}</CustomerSees>
    </>
  );
}
