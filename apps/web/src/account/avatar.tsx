import { editAvatar } from '@sathorn/api';
import { failureText, useCall } from '@sathorn/app/client';
import { showToast } from '@sathorn/app/shell';
import { formatPercent } from '@sathorn/text';
import { Card, Icon, ProgressBar, Skeleton, useText } from '@sathorn/ui';
import { useRef, useState } from 'react';
import { useAccount } from '../parts/account/use-account.ts';
import { uploadPicture } from '../parts/forms/upload-picture.ts';
import { OwnAvatar } from './own-avatar.tsx';
import './avatar.css';
import '@sathorn/app/forms/form-page.css';

/** `#/pages/mine/setting/avatar`: changes the customer's picture. */
export default function AvatarScreen() {
  const texts = useText();
  const { t, presentation } = texts;
  const { user, refresh } = useAccount();
  const edit = useCall(editAvatar, { withoutOverlay: true });
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  const take = async (file: File | undefined) => {
    if (!file) return;
    setFault(undefined);
    setShare(0);
    const uploaded = await uploadPicture(file, setShare);
    const edited = uploaded.ok ? await edit.submit({ userimg: uploaded.data.id }) : uploaded;
    setShare(undefined);
    // Without this reset, choosing the same file again after an error would have no effect.
    if (input.current) input.current.value = '';
    if (!edited.ok) {
      setFault(edited.isAnswered ? failureText(edited, texts) : t('said.upload_failed'));
      return;
    }
    showToast(t('avatar.done'), 'success');
    refresh();
  };

  const isBusy = share !== undefined;
  const percent = formatPercent((share ?? 0).toFixed(2), presentation, { maxDecimals: 0 });
  return (
    <div className="page">
      <Card className="avatar-card">
        {user ? <OwnAvatar user={user} size={128} /> : <Skeleton height={128} width={128} round />}
        <div className="avatar-progress">
          {isBusy && (
            <>
              <ProgressBar share={share} label={t('avatar.uploading', { percent })} />
              <p className="muted num" aria-hidden="true">
                {t('avatar.uploading', { percent })}
              </p>
            </>
          )}
          {fault && (
            <p className="form-refusal" role="alert">
              <Icon name="warning" size={18} />
              <span>{fault}</span>
            </p>
          )}
        </div>
        <label className="avatar-choose" data-busy={isBusy ? '' : undefined}>
          <Icon name="camera" size={20} />
          <span>{t('avatar.choose')}</span>
          <input
            ref={input}
            className="unseen"
            type="file"
            accept="image/jpeg,image/png,image/webp"
            disabled={isBusy || !user}
            aria-describedby="avatar-hint"
            onChange={(event) => void take(event.target.files?.[0])}
          />
        </label>
        <p className="muted" id="avatar-hint">
          {t('avatar.hint')}
        </p>
      </Card>
    </div>
  );
}
