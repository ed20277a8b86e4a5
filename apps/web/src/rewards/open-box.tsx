import { type Box, drawBox } from '@sathorn/api';
import { useCall } from '@sathorn/app/client';
import { Button, Confirm, useText } from '@sathorn/ui';
import { useState } from 'react';
import { useAccount } from '../parts/account/use-account.ts';
import { keepDraw } from '../parts/evidence/kept-draws.ts';
import { pointsCountOf } from './reward-figures.ts';

interface OpenBoxProps {
  box: Box;
  /** The customer's points. */
  score: string;
  /** The button's label. */
  label: string;
  look?: 'soft';
  onDrawn: (draw: string) => void;
  onRefused?: () => void;
}

/** Opens one box for its price, after a confirmation that names the price and the remaining points. */
export function OpenBox({ box, score, label, look, onDrawn, onRefused }: OpenBoxProps) {
  const { t } = useText<'rewards'>();
  const texts = useText();
  const { refresh } = useAccount();
  const call = useCall(drawBox);
  const [isAsking, setAsking] = useState(false);
  const points = (count: number) => t('rewards.points_count', { count });
  const price = pointsCountOf(box.price);
  const open = async () => {
    const answer = await call.submit({ id: box.id });
    setAsking(false);
    refresh();
    if (!answer.ok) return onRefused?.();
    keepDraw(answer.data.id, answer.data.reservation);
    onDrawn(answer.data.id);
  };
  return (
    <>
      <Button {...(look && { look })} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm
        open={isAsking}
        title={t('box.ask', { name: box.name, price: points(price) })}
        confirmLabel={t('box.open_for', { points: points(price) })}
        cancelLabel={texts.t('shell.cancel')}
        busy={call.isBusy}
        onConfirm={() => void open()}
        onCancel={() => setAsking(false)}
      >
        <p>{t('box.ask_left', { have: points(pointsCountOf(score)), left: points(pointsCountOf(score) - price) })}</p>
      </Confirm>
    </>
  );
}
