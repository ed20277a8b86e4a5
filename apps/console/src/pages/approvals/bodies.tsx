import { type ApprovalView, listReadyAnswers } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Late, type LoadPart } from '@sathorn/app/late';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { CustomerSeesNote, Facts } from '../../parts/parts.tsx';
import { type Texts, useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';
import { audienceText } from '../content/history.tsx';
import { ApprovedOffer } from '../offer/diff.tsx';
import { ChangeList, LanguageTexts } from './changes.tsx';
import { codeListOf, incidentPartsText, stringFieldsOf, textFieldOf, titleWithoutBrand } from './contents.ts';
import { useApprovalTexts } from './texts.ts';

export interface BodyProps {
  readonly shown: ApprovalView;
  /** True in the dialog that confirms the decision: it omits what the page beneath it shows. */
  readonly isRestated?: boolean;
}

const loadCheckText: LoadPart<{ id: string }> = () => import('../content/check-text.tsx');

export function ContentBody({ shown: { content, status, subject }, isRestated }: BodyProps) {
  const { t, code, dateTime } = useTexts();
  const to = textFieldOf(content, 'to');
  return (
    <>
      {status === 'waiting' && !isRestated && (
        <Late load={loadCheckText}>{(CheckText) => <CheckText id={subject} />}</Late>
      )}
      <Facts
        facts={[
          [code('content.kind', textFieldOf(content, 'kind')), <bdi key="title">{titleWithoutBrand(content)}</bdi>],
          [t('content.audience'), audienceText(textFieldOf(content, 'audience'), t, code)],
          [t('field.from'), dateTime(textFieldOf(content, 'from'))],
          ...(to === '' ? [] : [[t('field.to'), dateTime(to)] as const]),
          [t('field.languages'), codeListOf(content, 'languages').join(', ')],
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
      <CustomerSeesNote>{say('seen.offer')}</CustomerSeesNote>
    </>
  );
}

export function FreezeBody({ shown: { kind, content } }: BodyProps) {
  const { t, code, dateTime } = useTexts();
  const { say } = useApprovalTexts();
  const until = textFieldOf(content, 'until');
  return (
    <>
      <Facts
        facts={[
          [
            t('customer'),
            <a key="customer" href={routeHash('customers', textFieldOf(content, 'customer'))}>
              <bdi>{textFieldOf(content, 'username')}</bdi>
            </a>,
          ],
          [t('field.scopes'), scopesIn(content, code)],
          [t('customers.reason'), code('reason', textFieldOf(content, 'reason'))],
        ]}
      />
      <ChangeList
        changes={[
          {
            label: say('lasts'),
            before: dateTime(textFieldOf(content, 'until_now')),
            after: until === '' ? say('lasts.at_once') : dateTime(until),
          },
        ]}
      />
      <CustomerSeesNote>{say(kind === 'freeze_lift' ? 'seen.freeze_lift' : 'seen.freeze_extend')}</CustomerSeesNote>
    </>
  );
}
const scopesIn = (content: ApprovalView['content'], code: Texts['code']): string =>
  codeListOf(content, 'scopes')
    .map((scope) => code('scope', scope))
    .join(', ');

export function PauseBody({ shown: { content } }: BodyProps) {
  const { code, dateTime } = useTexts();
  const { say } = useApprovalTexts();
  const what = code('pausable', textFieldOf(content, 'subject'));
  return (
    <>
      <ChangeList
        changes={[
          {
            label: `${what} (${code('pause', textFieldOf(content, 'kind'))})`,
            before: say('paused', { since: dateTime(textFieldOf(content, 'since')) }),
            after: say('pause.ends'),
          },
        ]}
      />
      <CustomerSeesNote>{say('seen.pause_end', { what })}</CustomerSeesNote>
    </>
  );
}

export function IncidentBody({ shown: { content, subject } }: BodyProps) {
  const { code } = useTexts();
  const { say } = useApprovalTexts();
  return (
    <>
      <ChangeList
        changes={[
          {
            label: `${code('incident.severity', textFieldOf(content, 'severity'))}: ${incidentPartsText(content, code)}`,
            before: <a href={routeHash('incidents', subject)}>{say('incident.open')}</a>,
            after: say('incident.closed'),
          },
        ]}
      />
      <LanguageTexts after={stringFieldsOf(content.texts)} />
      <CustomerSeesNote>{say('seen.incident')}</CustomerSeesNote>
    </>
  );
}

export function ReadyBody({ shown: { content, status }, isRestated }: BodyProps) {
  const { t } = useTexts();
  const { say } = useApprovalTexts();
  const operator = useOperator();
  // A decided approval's text is already in force, so there is nothing to compare.
  const isCompared = status === 'waiting' && hasAnyRole(operator, ['support', 'compliance', 'content', 'admin']);
  const { data } = useRead(listReadyAnswers, {}, { enabled: isCompared });
  const before = isCompared ? data?.find(({ code }) => code === textFieldOf(content, 'code'))?.texts : undefined;
  const after = Object.fromEntries(
    Object.entries(stringFieldsOf(content))
      .filter(([name]) => name.startsWith('text_'))
      .map(([name, words]) => [name.replace('text_', ''), words]),
  );
  return (
    <>
      <p>
        <b className="mono">/{textFieldOf(content, 'code')}</b>{' '}
        <span className="c">{t('support.ready_version', { version: textFieldOf(content, 'version') })}</span>
      </p>
      <LanguageTexts {...(before && { before })} after={after} />
      {!isRestated && <CustomerSeesNote>{say('seen.ready', { code: textFieldOf(content, 'code') })}</CustomerSeesNote>}
    </>
  );
}

export function OperatorBody({ shown: { kind, content } }: BodyProps) {
  const { t, code } = useTexts();
  const { say, word } = useApprovalTexts();
  const roles = (name: string) =>
    codeListOf(content, name)
      .map((role) => code('role', role))
      .join(', ');
  const now = roles('roles_now') || say('access.none');
  const changes = {
    operator_invite: { label: say('access.roles'), before: say('access.none'), after: roles('roles') },
    operator_role: { label: say('access.roles'), before: now, after: roles('roles') || say('access.none') },
    operator_device: {
      label: say('access.device'),
      before: `${word('access.state', textFieldOf(content, 'state'))} · ${say('access.device.now', { devices: textFieldOf(content, 'devices') })}`,
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
          [t('field.work_name'), <b key="name">{textFieldOf(content, 'work_name')}</b>],
          ...(kind === 'operator_device' || kind === 'operator_unfreeze' ? [[say('access.roles'), now] as const] : []),
          ...(textFieldOf(content, 'customer') === ''
            ? []
            : [[say('operator.account'), <span key="account">{textFieldOf(content, 'customer')}</span>] as const]),
        ]}
      />
      <ChangeList changes={[changes[kind as keyof typeof changes]]} />
      <CustomerSeesNote>{say('seen.nothing')}</CustomerSeesNote>
    </>
  );
}
