import { type ApprovalView, readApproval } from '@sathorn/api';
import { Late } from '@sathorn/app/late';
import { useOperator } from '../../operator.ts';
import { AroundPaneContext, CasePane } from '../../parts/case-page.tsx';
import { CustomerSeesNote, DueClock, Facts, Tag, VotePips } from '../../parts/parts.tsx';
import { SkeletonList } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { useLiveRead } from '../../parts/use-live-read.ts';
import { UnsignedVotes } from '../votes/unsigned-votes.tsx';
import { ApprovalHistory } from './approval-history.tsx';
import { APPROVAL_KIND_VIEWS } from './approval-kind-views.ts';
import { countApprovals } from './count-approvals.ts';
import { DecideBar, hasDecideBar } from './decide-bar.tsx';
import { EnrolmentCode } from './enrolment-code.tsx';
import { useApprovalTexts } from './texts.ts';

/** Kinds whose approver reads an enrolment code to a person. */
const HAS_CODE: ReadonlySet<string> = new Set(['operator_invite', 'operator_device']);

export function ApprovalPane({ id }: { id: string }) {
  const { t, code } = useTexts();
  const query = useLiveRead(readApproval, { id });
  const shown = query.data;
  if (shown && 'load' in APPROVAL_KIND_VIEWS[shown.kind]) return <CaseApproval shown={shown} />;
  return (
    <CasePane
      query={query}
      head={(of) => (
        <>
          <h2>{code('approval', of.kind)}</h2>
          <Tag look={of.status === 'waiting' ? 'brand' : undefined}>{t(`status.${of.status}`)}</Tag>
          <span className="r">
            {of.status === 'waiting' && of.expires_at && <DueClock due={of.expires_at} from={of.made_at} />}
            <VotePips given={countApprovals(of)} need={of.need} />
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
    </CasePane>
  );
}

function Body({ shown, isRestated = false }: { shown: ApprovalView; isRestated?: boolean }) {
  const look = APPROVAL_KIND_VIEWS[shown.kind];
  return (
    'loadBody' in look && (
      <Late load={look.loadBody} waiting={<SkeletonList rows={3} />}>
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
      <ApprovalHistory shown={shown} />
    </>
  );
}

/** Shows below the approval the case itself, with its evidence and its own decision. */
function CaseApproval({ shown }: { shown: ApprovalView }) {
  const { code, t } = useTexts();
  const { say } = useApprovalTexts();
  const operator = useOperator();
  const look = APPROVAL_KIND_VIEWS[shown.kind];
  if (!('load' in look)) return null;
  const isOwn = shown.made_by !== null && shown.made_by.id === operator?.id;
  const restated =
    shown.kind === 'certification_refusal' ? (
      <CustomerSeesNote>{say('seen.certification', { reason: code('reason', shown.reason ?? '') })}</CustomerSeesNote>
    ) : null;
  const around = {
    head: (
      <>
        <p className="row sp wrap">
          <b>{code('approval', shown.kind)}</b>
          <span className="row">
            {shown.status === 'waiting' ? (
              <VotePips given={countApprovals(shown)} need={shown.need} />
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
        <ApprovalHistory shown={shown} />
      </>
    ),
    ...(shown.status !== 'waiting'
      ? { bar: null }
      : (isOwn || look.isDecidedHere) && { bar: <DecideBar shown={shown}>{restated}</DecideBar> }),
  };
  return (
    <AroundPaneContext value={around}>
      <Late load={look.load} waiting={<SkeletonList />}>
        {(Case) => <Case key={shown.subject} id={shown.subject} />}
      </Late>
    </AroundPaneContext>
  );
}
