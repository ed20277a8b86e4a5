import { readLevel, type SignInState, signInDaily } from '@sathorn/api';
import { failureText, readQueryKey, useCall, useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar, showToast } from '@sathorn/app/shell';
import { formatCount, formatDate } from '@sathorn/text';
import { Button, Card, EmptyState, ErrorState, Icon, ListRow, ProgressBar, Skeleton, useText } from '@sathorn/ui';
import { useQueryClient } from '@tanstack/react-query';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { MonthCalendar } from './month-calendar.tsx';
import { amountText, dayText, isZeroAmount, pointsCountOf, shareOfWhole } from './reward-figures.ts';
import { RewardTexts } from './reward-texts.tsx';

/** `#/pages/index/singin`: the ladder shows what today is worth, the calendar the past days. */
export default function DailyCheckIn() {
  return (
    <RewardTexts>
      <CheckIn />
    </RewardTexts>
  );
}

function CheckIn() {
  const { t, presentation } = useText<'rewards'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const queries = useQueryClient();
  const { data, error, refetch } = useRead(readLevel, {}, { freshForMs: 0 });
  const call = useCall(signInDaily);
  const sign = data?.sign;

  const checkIn = async () => {
    const answer = await call.submit({});
    void queries.invalidateQueries({ queryKey: readQueryKey(readLevel) });
    if (!answer.ok) return;
    const { points, usdt, usdt_missed: missed } = answer.data;
    const said = { points: t('rewards.points_count', { count: pointsCountOf(points) }) };
    if (answer.data.locked) showToast(t('rewards.done_locked'), 'success');
    else if (!isZeroAmount(missed))
      showToast(t('rewards.done_missed', { ...said, usdt: amountText(missed, presentation) }));
    else if (isZeroAmount(usdt)) showToast(t('rewards.done', said), 'success');
    else showToast(t('rewards.done_usdt', { ...said, usdt: amountText(usdt, presentation) }), 'success');
  };

  return (
    <>
      <div className="reward-hero">
        <PageBar title={texts.t('screen.sign_in_daily')} />
        {sign ? <Ladder sign={sign} /> : <div className="reward-hero-body">{!error && <Skeleton height={168} />}</div>}
      </div>
      <div className="page reward-over">
        {error && !data ? (
          <Card>
            <ErrorState
              title={failureText(error.failure, texts)}
              action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
            />
          </Card>
        ) : sign === null ? (
          <Card>
            <EmptyState picture="calendar" title={t('rewards.closed')} />
          </Card>
        ) : sign ? (
          <>
            <Locked sign={sign} />
            <MonthCalendar sign={sign} />
            <Fund sign={sign} />
            <Card tight>
              <ListRow icon="box" title={t('rewards.spend')} onPress={() => navigate('/pages/blindbox/index')} />
            </Card>
            <LadderNote sign={sign} />
          </>
        ) : (
          <>
            <Card>
              <Skeleton height={300} />
            </Card>
            <Card>
              <Skeleton height={76} />
            </Card>
          </>
        )}
      </div>
      {sign && (
        <PageFoot
          why={
            sign.signed_today
              ? t('rewards.next_at', { time: formatDate(sign.next_day_at, 'dayTime', presentation) })
              : null
          }
        >
          <Button icon="calendar" disabled={sign.signed_today} busy={call.isBusy} onClick={() => void checkIn()}>
            {sign.signed_today
              ? t('rewards.checked_in')
              : t('rewards.check_in', {
                  points: t('rewards.points_count', {
                    count: pointsCountOf(sign.ladder[sign.rung - 1]?.points ?? '0'),
                  }),
                })}
          </Button>
        </PageFoot>
      )}
    </>
  );
}

function Ladder({ sign }: { sign: SignInState }) {
  const { t, presentation } = useText<'rewards'>();
  const done = sign.signed_today ? sign.rung : sign.rung - 1;
  return (
    <div className="reward-hero-body">
      <div className="reward-hero-figures">
        <div>
          <h2>{t('rewards.day_of', { day: formatCount(sign.rung, presentation) })}</h2>
          <p className="reward-hero-caption num">
            {sign.since === null
              ? t('rewards.begin')
              : t('rewards.since', { date: dayText(sign.since, 'weekday', presentation) })}
          </p>
        </div>
        <p className="reward-hero-end num">
          <span className="reward-hero-caption">{t('rewards.points')}</span>
          <b className="reward-score">{formatCount(pointsCountOf(sign.score), presentation)}</b>
        </p>
      </div>
      <ol className="reward-ladder num">
        {sign.ladder.map(({ day, points, usdt }) => (
          <li
            key={day}
            data-state={day <= done ? 'done' : day === sign.rung ? 'today' : undefined}
            aria-current={day === sign.rung ? 'step' : undefined}
          >
            <span>{t('rewards.day', { day: formatCount(day, presentation) })}</span>
            {day <= done ? (
              <Icon name="check" size={18} />
            ) : (
              <b dir="ltr">
                {!isZeroAmount(usdt) && <Icon name="gift" size={16} />}+
                {formatCount(pointsCountOf(points), presentation)}
              </b>
            )}
            <span>
              {day <= done ? (
                <bdi dir="ltr">+{formatCount(pointsCountOf(points), presentation)}</bdi>
              ) : isZeroAmount(usdt) ? (
                t('rewards.points_word')
              ) : (
                <bdi>{amountText(usdt, presentation)} USDT</bdi>
              )}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Explains why rewards are locked, and links to the certification that releases them. */
function Locked({ sign: { locked } }: { sign: SignInState }) {
  const { t, presentation } = useText<'rewards'>();
  const { navigate } = useNavigation();
  if (!locked) return null;
  const of = {
    points: t('rewards.points_count', { count: pointsCountOf(locked.points) }),
    usdt: amountText(locked.usdt, presentation),
  };
  return (
    <Card>
      <p className="row num reward-between">
        <b>{t('rewards.locked')}</b>
        <bdi>{t('rewards.locked_of', of)}</bdi>
      </p>
      <p className="cap">{t('rewards.locked_note')}</p>
      <Button look="soft" onClick={() => navigate('/pages/mine/Certification/primary')}>
        {t('rewards.locked_go')}
      </Button>
    </Card>
  );
}

function Fund({ sign: { fund, ladder } }: { sign: SignInState }) {
  const { t, presentation } = useText<'rewards'>();
  const largest = Math.max(...ladder.map(({ usdt }) => Number(usdt)));
  const isDry = Number(fund.usdt) < largest;
  const of = { left: amountText(fund.usdt, presentation), all: amountText(fund.usdt_funded, presentation) };
  return (
    <Card>
      <p className="row num reward-between">
        <b>{t('rewards.fund')}</b>
        <bdi>{t('rewards.fund_of', of)}</bdi>
      </p>
      <ProgressBar share={shareOfWhole(fund.usdt, fund.usdt_funded)} label={t('rewards.fund')} look="success" />
      <p className={isDry ? 'reward-warn' : 'cap'}>{t(isDry ? 'rewards.fund_dry' : 'rewards.fund_note')}</p>
    </Card>
  );
}

function LadderNote({ sign }: { sign: SignInState }) {
  const { t, presentation } = useText<'rewards'>();
  const last = sign.ladder.at(-1);
  return (
    <div role="note" className="reward-note">
      <Icon name="info" size={18} />
      <div>
        {last && (
          <p>
            {t('rewards.ladder_note', {
              points: t('rewards.points_count', { count: pointsCountOf(last.points) }),
              usdt: amountText(last.usdt, presentation),
            })}
          </p>
        )}
        <p className="cap num">
          {t('rewards.terms', {
            version: formatCount(sign.version, presentation),
            date: dayText(sign.effective_from, 'date', presentation),
          })}
        </p>
      </div>
    </div>
  );
}
