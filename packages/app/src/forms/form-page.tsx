import { Button, Icon } from '@sathorn/ui';
import type { FormEvent, ReactNode } from 'react';
import './form-page.css';

interface FormPageProps {
  onSubmit: (event: FormEvent) => void;
  submitLabel: string;
  busy: boolean;
  /** A refusal that concerns no single field. */
  refusal?: string | undefined;
  children: ReactNode;
  /** Links to other pages, shown below the button. */
  foot?: ReactNode;
}

/** A page with a form: its cards, the refusal, and a submit button. */
export function FormPage({ onSubmit, submitLabel, busy, refusal, children, foot }: FormPageProps) {
  return (
    <form className="page form-page" noValidate onSubmit={onSubmit}>
      {children}
      {refusal && (
        <p className="form-refusal" role="alert">
          <Icon name="warning" size={18} />
          <span>{refusal}</span>
        </p>
      )}
      <Button type="submit" busy={busy}>
        {submitLabel}
      </Button>
      {foot && <div className="form-foot">{foot}</div>}
    </form>
  );
}

/** A link below the button: a question and the label to press. */
export function FormFoot({ children, label, onPress }: { children?: ReactNode; label: string; onPress: () => void }) {
  return (
    <p>
      {children && <span>{children} </span>}
      <button type="button" className="form-link" onClick={onPress}>
        {label}
      </button>
    </p>
  );
}
