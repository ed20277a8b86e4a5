import { type Box, listBoxes } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { BOX_CHANCE_LOG10_MIN, boxChanceLog10 } from '@sathorn/proof/box-odds';
import { formatCount, formatDate, formatDecimalText, formatPercent } from '@sathorn/text';
import {
  Badge,
  Button,
  Card,
  Chip,
  EmptyState,
  Icon,
  ListRow,
  ProgressBar,
  Sheet,
  Skeleton,
  TabHead,
  useText,
} from '@sathorn/ui';
import { useEffect, useState } from 'react';
import { useAccount } from '../parts/account/use-account.ts';
import { keepBoxes } from '../parts/evidence/kept-draws.ts';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { PageNotLoaded } from '../parts/read/not-loaded.tsx';
import { BoxPicture } from './box-picture.tsx';
import { downloadBoxFile } from './download-file.ts';
import { OpenBox } from './open-box.tsx';
import { usePrizeText } from './prize-text.ts';
import { amountText, pointsCountOf } from './reward-figures.ts';
import { RewardTexts } from './reward-texts.tsx';

/** `#/pages/blindbox/index`: odds, actual compared with expected frequencies, and the mean return in plain words. */
export default function BlindBox() {
  return (
    <RewardTexts>
      <Boxes />
    </RewardTexts>
  );
}

function Boxes() {
  const { t } = useText<'rewards'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const { data, error, refetch } = useRead(listBoxes, {}, { everyMs: 15_000 });
  const [chosen, setChosen] = useState<string>();
  const lists = data?.lists.filter(({ state }) => state !== 'closed') ?? [];
  const box = lists.find(({ id }) => id === chosen) ?? lists.find(({ state }) => state === 'open') ?? lists[0];
  useEffect(() => {
    if (data) keepBoxes(data.lists);
  }, [data]);

  if (!data)
    return (
      <>
        <TabHead title={texts.t('tab.blind_box')} />
        <PageNotLoaded read={{ error, refetch }} rows={8} />
      </>
    );
  if (!box)
    return (
      <>
        <TabHead title={texts.t('tab.blind_box')} />
        <div className="page">
          <Card>
            <EmptyState
              picture="box"
              title={t('box.none')}
              action={{
                label: texts.t('screen.sign_in_daily'),
                onPress: () => navigate('/pages/index/singin'),
              }}
            >
              {t('box.none_text')}
            </EmptyState>
          </Card>
        </div>
      </>
    );
  return (
    <>
      <BoxHead box={box} />
      <div className="page">
        {lists.length > 1 && (
          <fieldset className="box-choice" aria-label={t('box.choose')}>
            {lists.map(({ id, name }) => (
              <Chip key={id} pressed={id === box.id} onClick={() => setChosen(id)}>
                {name}
              </Chip>
            ))}
          </fieldset>
        )}
        <PrizeTable box={box} />
        <Left box={box} />
        <Worth box={box} />
        <div role="note" className="reward-note" data-tone={box.beacon === 'none' ? 'warn' : undefined}>
          <Icon name={box.beacon === 'none' ? 'warning' : 'shield'} size={18} />
          <p>{t(box.beacon === 'none' ? 'box.no_beacon' : 'box.with_beacon')}</p>
        </div>
        <Card tight>
          <ListRow
            icon="download"
            title={t('box.whole_file')}
            note={<bdi className="mono">{box.signed.hash.slice(0, 16)}</bdi>}
            onPress={() => void downloadBoxFile(box.id, texts)}
          />
        </Card>
      </div>
      <Open key={box.id} box={box} onDrawn={() => void refetch()} />
    </>
  );
}

function BoxHead({ box }: { box: Box }) {
  const { t } = useText<'rewards'>();
  const { navigate } = useNavigation();
  const [isOpen, setOpen] = useState(false);
  const { user, isCustomer } = useAccount();
  const price = t('box.price', { price: t('rewards.points_count', { count: pointsCountOf(box.price) }) });
  return (
    <header className="box-hero">
      <div className="box-hero-text">
        <h1>{box.name}</h1>
        <p className="reward-hero-caption num">{price}</p>
        {user && (
          <p className="reward-hero-caption num">
            {t('box.have', { have: t('rewards.points_count', { count: pointsCountOf(user.score) }) })}
          </p>
        )}
        <div className="box-hero-actions">
          {isCustomer && (
            <button type="button" onClick={() => navigate('/pages/blindbox/records')}>
              <Icon name="clock" size={16} />
              {t('box.records')}
            </button>
          )}
          <button type="button" onClick={() => setOpen(true)}>
            <Icon name="shield" size={16} />
            {t('box.rules')}
          </button>
        </div>
      </div>
      <BoxPicture size={124} />
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('box.rules')}>
        <ol className="box-rules">
          {(['points', 'fixed', 'next', 'paid', 'funded'] as const).map((rule) => (
            <li key={rule}>{t(`box.rule.${rule}`)}</li>
          ))}
          <li>{t(box.beacon === 'none' ? 'box.no_beacon' : 'box.with_beacon')}</li>
        </ol>
      </Sheet>
    </header>
  );
}

function PrizeTable({ box }: { box: Box }) {
  const { t, presentation } = useText<'rewards'>();
  const say = usePrizeText();
  const opened = box.prizes.reduce((sum, { given }) => sum + given, 0);
  const share = (weight: number) =>
    formatPercent((weight / box.weight_sum).toFixed(6), presentation, { minDecimals: 2, maxDecimals: 4 });
  const due = (weight: number) =>
    formatDecimalText(((opened * weight) / box.weight_sum).toFixed(1), presentation, { minDecimals: 1 });
  return (
    <Card>
      <table className="box-table num">
        <thead>
          <tr>
            {(['prize', 'odds', 'due', 'given'] as const).map((head) => (
              <th key={head} scope="col">
                {t(`box.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {box.prizes.map(({ kind, amount, weight, given }) => (
            <tr key={`${kind} ${amount}`}>
              <th scope="row">
                <bdi>{say({ kind, amount })}</bdi>
              </th>
              <td>{share(weight)}</td>
              <td className="muted">{due(weight)}</td>
              <td>{formatCount(given, presentation)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="cap num box-table-note">
        {t('box.of_opened', { count: opened, sum: formatCount(box.weight_sum, presentation) })}
      </p>
      {opened > 0 && <Chance box={box} />}
    </Card>
  );
}

/** How likely the results are by the odds, computed on this device as the verifiers do it. */
function Chance({ box: { prizes } }: { box: Box }) {
  const { t, presentation } = useText<'rewards'>();
  const log10 = boxChanceLog10(
    prizes.map(({ given }) => given),
    prizes.map(({ weight }) => weight),
  );
  const percent = (share: number) => formatPercent(share.toFixed(6), presentation, { maxDecimals: 1 });
  const share = log10 < -3 ? `< ${percent(0.001)}` : percent(10 ** log10);
  return (
    <p className="cap num box-table-note">
      {log10 < BOX_CHANCE_LOG10_MIN ? t('box.chance_none') : t('box.chance', { share })}
    </p>
  );
}

function Left({ box }: { box: Box }) {
  const { t, presentation } = useText<'rewards'>();
  const left = box.draws_max - box.drawn;
  return (
    <Card>
      <p className="row num reward-between">
        <b>{t('box.left', { left: formatCount(left, presentation), all: formatCount(box.draws_max, presentation) })}</b>
        <span className="muted">{t('box.until', { date: formatDate(box.closes_at, 'day', presentation) })}</span>
      </p>
      <ProgressBar share={left / box.draws_max} label={t('box.given')} look="amber" />
      <p className="row cap num reward-between">
        <span>
          {t('box.fund', {
            paid: amountText(box.paid.usdt, presentation),
            budget: amountText(box.budget.usdt, presentation),
          })}
        </span>
        <Badge tone="success" mark="check">
          {t('box.signed')}
        </Badge>
      </p>
    </Card>
  );
}

/** The average worth of a box, in plain words. */
function Worth({ box }: { box: Box }) {
  const { t, presentation } = useText<'rewards'>();
  const say = usePrizeText();
  const commonest = [...box.prizes].sort((a, b) => b.weight - a.weight)[0];
  return (
    <Card>
      <p className="num">
        {t('box.expected', {
          points: formatDecimalText(box.expected.points, presentation, { minDecimals: 2 }),
          usdt: amountText(box.expected.usdt, presentation),
        })}{' '}
        {commonest &&
          t('box.commonest', {
            prize: say(commonest),
            share: formatPercent((commonest.weight / box.weight_sum).toFixed(4), presentation),
          })}
      </p>
    </Card>
  );
}

function Open({ box, onDrawn }: { box: Box; onDrawn: () => void }) {
  const { t, presentation } = useText<'rewards'>();
  const texts = useText();
  const { navigate } = useNavigation();
  const { user, isCustomer } = useAccount();
  if (box.state !== 'open')
    return (
      <PageFoot>
        <p className="reward-warn">
          {t(`box.state.${box.state}`, { time: formatDate(box.opens_at, 'dayTime', presentation) })}
        </p>
      </PageFoot>
    );
  if (!isCustomer)
    return (
      <PageFoot>
        <Button onClick={() => navigate('/pages/login/login')}>{t('box.sign_in')}</Button>
      </PageFoot>
    );
  if (!user)
    return (
      <PageFoot>
        <Skeleton height={48} />
      </PageFoot>
    );
  const missing = pointsCountOf(box.price) - pointsCountOf(user.score);
  if (missing > 0)
    return (
      <PageFoot why={t('box.missing', { points: t('rewards.points_count', { count: missing }) })}>
        <Button onClick={() => navigate('/pages/index/singin')}>{texts.t('screen.sign_in_daily')}</Button>
      </PageFoot>
    );
  return (
    <PageFoot>
      <OpenBox
        box={box}
        score={user.score}
        label={t('box.open_for', { points: t('rewards.points_count', { count: pointsCountOf(box.price) }) })}
        onDrawn={(draw) => {
          onDrawn();
          navigate('/pages/blindbox/draw', { id: draw });
        }}
        onRefused={onDrawn}
      />
    </PageFoot>
  );
}
