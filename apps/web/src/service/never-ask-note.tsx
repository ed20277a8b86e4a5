import { Icon, useText } from '@sathorn/ui';
import './service.css';

export function NeverAskNote() {
  const { t } = useText<'service'>();
  return (
    <p className="service-never">
      <Icon name="shield" size={18} />
      <span>{t('service.never_ask')}</span>
    </p>
  );
}
