import { readRules } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Button, Card, Checkbox, ErrorState, Sheet, Skeleton, useText } from '@sathorn/ui';
import { useState } from 'react';
import { NextRules } from '../parts/text/next-rules.tsx';
import './agreement-check.css';

interface AgreementCheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  error: string | undefined;
}

/** The checkbox below sign-in and sign-up, with a link to the agreement. */
export function AgreementCheck({ checked, onChange, error }: AgreementCheckProps) {
  const { t } = useText();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card tight className="agreement">
      <Checkbox checked={checked} onChange={onChange} error={error}>
        {t('form.agree')}
      </Checkbox>
      <button type="button" className="form-link" onClick={() => setOpen(true)}>
        {t('form.read_agreement')}
      </button>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={t('form.agreement')}>
        {isOpen && <AgreementText />}
        <Button
          onClick={() => {
            onChange(true);
            setOpen(false);
          }}
        >
          {t('form.accept')}
        </Button>
      </Sheet>
    </Card>
  );
}

function AgreementText() {
  const texts = useText();
  const { data, error, refetch } = useRead(readRules, { of: 'agreement' }, { freshForMs: 3_600_000 });
  if (error) {
    return (
      <ErrorState
        title={failureText(error.failure, texts)}
        action={{ label: texts.t('shell.try_again'), onPress: () => void refetch() }}
      />
    );
  }
  if (!data) {
    return (
      <div className="agreement-text stack">
        {['98%', '86%', '92%', '70%', '95%', '60%'].map((width) => (
          <Skeleton key={width} width={width} />
        ))}
      </div>
    );
  }
  return (
    <div className="agreement-text">
      <NextRules next={data.next} />
      {data.content}
    </div>
  );
}
