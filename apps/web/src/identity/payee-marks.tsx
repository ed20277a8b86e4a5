import { Icon, useText } from '@sathorn/ui';
import './payee-marks.css';

export function BankMark() {
  return (
    <span className="bank-mark">
      <Icon name="company" size={20} />
    </span>
  );
}

export function CertifiedNameMark({ is }: { is: boolean | null }) {
  const { t } = useText<'identity'>();
  if (is === null) return null;
  return (
    <span className={is ? 'payee-same' : 'payee-other'}>
      <Icon name={is ? 'check' : 'warning'} size={13} /> {t(is ? 'payees.same_name' : 'payees.other_name')}
    </span>
  );
}
