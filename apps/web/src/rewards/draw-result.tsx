import { type Draw, listBoxes } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { useNavigation } from '@sathorn/app/navigation';
import { PageBar } from '@sathorn/app/shell';
import type { DrawStep, DrawVerdict } from '@sathorn/proof';
import { formatCount, formatDate } from '@sathorn/text';
import { Badge, Button, Card, CardHead, ErrorState, Icon, ListRow, SkeletonRows, useText } from '@sathorn/ui';
import { useAccount } from '../parts/account/use-account.ts';
import { readKeptDraw } from '../parts/evidence/kept-draws.ts';
import { PageFoot } from '../parts/money/page-foot.tsx';
import { BoxPicture } from './box-picture.tsx';
import { downloadBoxFile, downloadDraw } from './download-file.ts';
import { OpenBox } from './open-box.tsx';
import { usePrizeText } from './prize-text.ts';
import { amountText, pointsCountOf } from './reward-figures.ts';
import { useDrawVerdict } from './use-draw-verdict.ts';

/** The prize, and each step of the verification as it was computed on this device. A small win looks small. */
export function DrawResult({ draw }: { draw: Draw }) {
  const { t, presentation } = useText<'rewards'>();
  const texts = useText();
  const { relaunch } = useNavigation();
  const { result } = draw;
  if (result === null) return null;
  const { kind, amount } = result;
  return (
    <>
      <PageBar title={t('box.number', { number: formatCount(draw.i, presentation) })} />
      <div className="page">
        <Card className="box-won">
          <BoxPicture size={112} isOpen />
          <p className="muted">{draw.box.name}</p>
          <p className="box-won-amount num">
            {kind === 'points' ? (
              t('rewards.points_count', { count: pointsCountOf(amount) })
            ) : (
              <bdi>
                {amountText(amount, presentation)}
                <small> USDT</small>
              </bdi>
            )}
          </p>
          <p className="muted num">
            {result.paid &&
              t('box.credited', {
                time: formatDate(result.at, 'dateTimeSeconds', presentation),
                sequence: formatCount(Number(result.paid.sequence), presentation),
              })}
          </p>
        </Card>
        <Verification draw={draw} />
        <Card tight>
          <ListRow icon="download" title={t('box.file')} note={t('box.file_note')} onPress={() => downloadDraw(draw)} />
          <ListRow
            icon="download"
            title={t('box.whole_file')}
            onPress={() => void downloadBoxFile(draw.box.id, texts)}
          />
        </Card>
      </div>
      <PageFoot>
        <div className="reward-foot-actions">
          <Another draw={draw} />
          <Button onClick={() => relaunch('/pages/blindbox/index')}>{t('box.done')}</Button>
        </div>
      </PageFoot>
    </>
  );
}

function Another({ draw }: { draw: Draw }) {
  const { t } = useText<'rewards'>();
  const { redirect } = useNavigation();
  const { user } = useAccount();
  const { data } = useRead(listBoxes, {});
  const box = data?.lists.find(({ id }) => id === draw.box.id);
  if (box?.state !== 'open' || !user || pointsCountOf(user.score) < pointsCountOf(box.price)) return null;
  return (
    <OpenBox
      box={box}
      score={user.score}
      look="soft"
      label={t('box.another', { points: t('rewards.points_count', { count: pointsCountOf(box.price) }) })}
      onDrawn={(id) => redirect('/pages/blindbox/draw', { id })}
    />
  );
}

const STEPS: readonly DrawStep[] = ['box', 'reservation', 'commitment', 'client_seed', 'beacon', 'number', 'prize'];

function Verification({ draw }: { draw: Draw }) {
  const { t, presentation } = useText<'rewards'>();
  const texts = useText();
  const { verdict, error, retry } = useDrawVerdict(draw);
  // A box without a beacon has nothing to verify in that step, and its line says so.
  const checked = STEPS.filter((step) => step !== 'beacon' || verdict?.box?.beacon !== 'none');
  const passed = verdict ? checked.filter((step) => verdict.steps[step] === null).length : 0;
  return (
    <Card>
      <CardHead
        title={t('box.verify')}
        trail={
          verdict && (
            <Badge tone={verdict.verified ? 'success' : 'danger'}>
              {t('box.steps', {
                done: formatCount(passed, presentation),
                all: formatCount(checked.length, presentation),
              })}
            </Badge>
          )
        }
      />
      {verdict ? (
        <>
          <Place draw={draw} verdict={verdict} />
          <ol className="box-checks">
            {STEPS.map((step) => (
              <Check key={step} step={step} draw={draw} verdict={verdict} />
            ))}
          </ol>
          {!verdict.verified && (
            <p className="reward-bad" role="alert">
              {t('box.broken')}
            </p>
          )}
        </>
      ) : error ? (
        <ErrorState title={texts.t('mine.failed')} action={{ label: texts.t('shell.try_again'), onPress: retry }} />
      ) : (
        <SkeletonRows rows={7} label={t('box.checking')} />
      )}
    </Card>
  );
}

/** Shows the position of the number among the weights. */
function Place({ draw, verdict: { box, number } }: { draw: Draw; verdict: DrawVerdict }) {
  const { t, presentation } = useText<'rewards'>();
  const say = usePrizeText();
  if (box === null || number === null || draw.result === null) return null;
  const row = Number(draw.result.prize);
  const from = box.table.slice(0, row).reduce((sum, { weight }) => sum + weight, 0);
  const weight = box.table[row]?.weight ?? 1;
  const sum = box.table.reduce((all, other) => all + other.weight, 0);
  const count = (n: number) => formatCount(n, presentation);
  return (
    <>
      <p className="muted num">
        {t('box.lies_in', {
          number: count(number),
          from: count(from),
          to: count(from + weight - 1),
          prize: say(draw.result),
        })}
      </p>
      <div className="box-place" dir="ltr" aria-hidden="true">
        <div className="box-place-bar">
          {box.table.map(({ prize, amount, weight: each }, n) => (
            <i
              key={`${prize} ${amount}`}
              data-here={n === row ? '' : undefined}
              style={{ flexGrow: Math.max(0.05, Math.sqrt(each / sum)) }}
            />
          ))}
        </div>
        <p className="row cap num">
          <span>{count(0)}</span>
          <span>{t('box.no_scale')}</span>
          <span>{count(sum - 1)}</span>
        </p>
      </div>
    </>
  );
}

function Check({ step, draw, verdict }: { step: DrawStep; draw: Draw; verdict: DrawVerdict }) {
  const { t, presentation } = useText<'rewards'>();
  const fault = verdict.steps[step];
  const isNoBeacon = step === 'beacon' && verdict.box?.beacon === 'none';
  const note = (): string | null => {
    switch (step) {
      case 'box':
        return draw.box.signed.hash.slice(0, 16);
      case 'reservation':
        return t('box.note.reservation', {
          number: formatCount(draw.i, presentation),
          time: formatDate(draw.at, 'dateTimeSeconds', presentation),
        });
      case 'commitment':
        return t('box.note.commitment', {
          hash: (verdict.reservation?.commitment ?? '').slice(0, 8),
          count: formatCount(draw.path.length, presentation),
        });
      case 'client_seed':
        if (draw.client_seed === null) return t('box.note.seed_order');
        return readKeptDraw(draw.id) ? draw.client_seed.slice(0, 16) : t('box.note.seed_other');
      case 'beacon':
        return isNoBeacon
          ? t('box.note.no_beacon')
          : t('box.step.round', { round: formatCount(verdict.reservation?.round ?? 0, presentation) });
      case 'number':
        return null;
      case 'prize':
        return draw.result?.paid
          ? t('box.note.prize', { sequence: formatCount(Number(draw.result.paid.sequence), presentation) })
          : null;
    }
  };
  const title =
    step === 'number'
      ? t('box.check.number', { number: formatCount(Number(draw.result?.number ?? 0), presentation) })
      : t(isNoBeacon ? 'box.step.public' : `box.check.${step}`);
  const shown = fault === null ? note() : t(`box.fault.${fault}`);
  return (
    <li data-fault={fault === null ? (isNoBeacon ? 'none' : undefined) : ''}>
      <Icon name={fault === null ? (isNoBeacon ? 'minus' : 'check') : 'cross'} size={18} />
      <div>
        <p>{title}</p>
        {shown !== null && <p className="cap num">{shown}</p>}
      </div>
    </li>
  );
}
