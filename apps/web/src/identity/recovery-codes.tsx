import { Button, Card, useText } from '@sathorn/ui';
import { useCopyText } from '../parts/money/copy.tsx';
import './security.css';

/** The recovery codes. They are shown once, and cannot be shown again after a reload. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { t } = useText<'identity'>();
  const copy = useCopyText();
  return (
    <div className="page">
      <Card className="stack">
        <h2>{t('second.codes')}</h2>
        <p className="muted">{t('second.codes_lead')}</p>
        <ul className="second-codes" dir="ltr">
          {codes.map((code) => (
            <li key={code} className="mono">
              {code}
            </li>
          ))}
        </ul>
        <Button look="soft" icon="copy" onClick={() => void copy(codes.join('\n'))}>
          {t('second.copy')}
        </Button>
        <Button icon="check" onClick={onKept}>
          {t('second.kept')}
        </Button>
      </Card>
    </div>
  );
}
