import { copyText, showToast } from '@sathorn/app/shell';
import { Icon, useText } from '@sathorn/ui';
import './copy.css';

/** Returns a function that copies a text to the clipboard and reports whether it worked. */
export function useCopyText(): (text: string) => Promise<void> {
  const { t } = useText();
  return async (text) => {
    if (await copyText(text)) showToast(t('shell.copied'), 'success');
    else showToast(t('shell.copy_failed'), 'danger');
  };
}

/** A copy button beside a value; `label` names what is copied. */
export function CopyMark({ text, label }: { text: string; label: string }) {
  const copy = useCopyText();
  return (
    <button type="button" className="copy-mark" aria-label={label} title={label} onClick={() => void copy(text)}>
      <Icon name="copy" size={17} />
    </button>
  );
}
