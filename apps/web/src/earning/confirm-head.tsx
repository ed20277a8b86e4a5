import { Card, Icon, type IconName, Money } from '@sathorn/ui';

/** The headline of a confirmation page. */
export function ConfirmHead({
  icon,
  title,
  amount,
  note,
}: {
  icon: IconName;
  title: string;
  amount: string;
  note: string;
}) {
  return (
    <Card className="earning-confirm-head">
      <span className="earning-confirm-icon">
        <Icon name={icon} size={28} />
      </span>
      <p className="muted">{title}</p>
      <p className="earning-confirm-amount">
        <Money amount={amount} asset="USDT" exact fitted />
      </p>
      <p className="muted">{note}</p>
    </Card>
  );
}
