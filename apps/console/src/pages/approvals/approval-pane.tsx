import { type ApprovalView, readApproval } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useOperator } from '../../operator.ts';
import { AroundPane, Pane } from '../../parts/case-page.tsx';
import { Clock, CustomerSees, Facts, Pips, Tag } from '../../parts/parts.tsx';
import { Skeletons } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLive } from '../../parts/use-live.ts';
import { UnsignedVotes } from '../votes/unsigned-votes.tsx';
import { DecideBar, hasDecideBar } from './decide-bar.tsx';
import { EnrolmentCode } from './enrolment-code.tsx';
import { given } from './given.ts';
import { KINDS } from './kinds.ts';
import { Story } from './story.tsx';
import { useApprovalTexts } from './texts.ts';

/** Kinds whose approver reads an enrolment code to a person. */
const HAS_CODE: ReadonlySet<string> = new Set(['operator_invite', 'operator_device']);

export function ApprovalPane({ id }: { id: string }) {
  const { t, code } = useTexts();
  const query = useLive(readApproval, { id });
  const shown = query.data;
  if (shown && 'load' in KINDS[shown.kind]) return <CaseApproval shown={shown} />;
  return (
    <Pane
      query={query}
      head={(of) => (
        <>
          <h2>{code('approval', of.kind)}</h2>
          <Tag look={of.status === 'waiting' ? 'brand' : undefined}>{t(`status.${of.status}`)}</Tag>
          <span className="r">
            {of.status === 'waiting' && of.expires_at && <Clock due={of.expires_at} from={of.made_at} />}
            <Pips given={given(of)} need={of.need} />
          </span>
        </>
      )}
      bar={(of) =>
        hasDecideBar(of) && (
          <DecideBar shown={of}>
            <Body shown={of} isRestated />
          </DecideBar>
        )
      }
    >
      {(of) => <PlainApproval shown={of} />}
    </Pane>
  );
}

function Body({ shown, isRestated = false }: { shown: ApprovalView; isRestated?: boolean }) {
  const look = KINDS[shown.kind];
  return (
    'loadBody' in look && (
      <Late load={look.loadBody} waiting={<Skeletons rows={3} />}>
        {(Of) => <Of shown={shown} isRestated={isRestated} />}
      </Late>
    )
  );
}

function PlainApproval({ shown }: { shown: ApprovalView }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  return (
    <>
      <Body shown={shown} />
      {shown.reason && (
        <div className="note">
          <b>{t('approvals.reason')}</b>
          <p>
            <bdi>{shown.reason}</bdi>
          </p>
        </div>
      )}
      {shown.effective_from && <Facts facts={[[t('approvals.effective'), dateTime(shown.effective_from)]]} />}
      {shown.status === 'approved' &&
        HAS_CODE.has(shown.kind) &&
        shown.votes.some(({ by }) => by.id === operator?.id) && <EnrolmentCode approval={shown.id} />}
      <UnsignedVotes approval={shown} />
      <Story shown={shown} />
    </>
  );
}

/** Shows below the approval the case itself, with its evidence and its own decision. */
function CaseApproval({ shown }: { shown: ApprovalView }) {
  const { code, t } = useTexts();
  const { say } = useApprovalTexts();
  const operator = useOperator();
  const look = KINDS[shown.kind];
  if (!('load' in look)) return null;
  const isOwn = shown.made_by !== null && shown.made_by.id === operator?.id;
  const restated =
    shown.kind === 'certification_refusal' ? (
      <CustomerSees>{say('seen.certification', { reason: code('reason', shown.reason ?? '') })}</CustomerSees>
    ) : null;
  const around = {
    head: (
      <>
        <p className="row sp wrap">
          <b>{code('approval', shown.kind)}</b>
          <span className="row">
            {shown.status === 'waiting' ? (
              <Pips given={given(shown)} need={shown.need} />
            ) : (
              <Tag>{t(`status.${shown.status}`)}</Tag>
            )}
            <a href={look.href(shown.subject)}>{say('open_case')}</a>
          </span>
        </p>
        {restated}
      </>
    ),
    end: (
      <>
        <UnsignedVotes approval={shown} />
        <Story shown={shown} />
      </>
    ),
    ...(shown.status !== 'waiting'
      ? { bar: null }
      : (isOwn || look.isDecidedHere) && { bar: <DecideBar shown={shown}>{restated}</DecideBar> }),
  };
  return (
    <AroundPane value={around}>
      <Late load={look.load} waiting={<Skeletons />}>
        {(Case) => <Case key={shown.subject} id={shown.subject} />}
      </Late>
    </AroundPane>
  );
}
