import { copyText } from '@sathorn/app/shell';
import { Button } from '@sathorn/ui';
import { useState } from 'react';
import { useTexts } from '../../parts/texts/index.ts';
import { routeHash } from '../../route.ts';

/** The maker's half of an invitation. It is not stored anywhere and never shown again. */
export function EnrolmentLinkDialog({
  link,
  approval,
  onClose,
}: {
  link: string;
  approval: string;
  onClose: () => void;
}) {
  const { t } = useTexts();
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="bd col">
      <h2>{t('operators.link')}</h2>
      <p className="note mono break">{link}</p>
      <ol className="steps sm">
        <li>{t('operators.step_link')}</li>
        <li>
          <a href={routeHash('approvals', approval, { tab: 'made' })} onClick={onClose}>
            {t('operators.step_check')}
          </a>
        </li>
        <li>{t('operators.step_code')}</li>
      </ol>
      <div className="row">
        <Button size="small" icon="copy" onClick={() => void copyText(link).then(setCopied)}>
          {t(isCopied ? 'act.copied' : 'operators.copy_link')}
        </Button>
        <Button size="small" look="soft" onClick={onClose}>
          {t('act.close')}
        </Button>
      </div>
    </div>
  );
}
