import { type ContentPicture, listContentPictures, uploadContentPicture } from '@sathorn/api';
import { createIntentKey, queryClient, useRead } from '@sathorn/app/client';
import { Button } from '@sathorn/ui';
import { useRef, useState } from 'react';
import { hasAnyRole, useOperator } from '../../operator.ts';
import { ReadGate, RefusalNote } from '../../parts/states.tsx';
import { useTexts } from '../../parts/texts/index.ts';
import { uploadPicture } from '../../parts/upload-picture.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { type RefusedAct, refusedActOf } from '../../use-act.ts';

/** Lists the uploaded pictures and uploads new ones. */
export function ContentPictures({ onChoose }: { onChoose?: (picture: ContentPicture) => void }) {
  const { t, dateTime } = useTexts();
  const operator = useOperator();
  const query = useRead(listContentPictures, {}, { freshForMs: 5_000 });
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<RefusedAct | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const key = useRef(createIntentKey());
  const upload = async (chosen: File) => {
    setBusy(true);
    setRefused(null);
    const answer = await uploadPicture(
      uploadContentPicture,
      chosen,
      key.current.keyFor(`${chosen.name} ${chosen.size} ${chosen.lastModified}`),
    );
    if (answer.ok || answer.isAnswered) key.current.answered();
    setBusy(false);
    if (answer.ok) void queryClient.invalidateQueries();
    else setRefused(refusedActOf(answer));
  };
  return (
    <div className="col">
      {hasAnyRole(operator, ['content']) && (
        <div className="row">
          <input
            ref={file}
            type="file"
            hidden
            accept="image/jpeg,image/png,image/webp"
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) void upload(chosen);
              target.value = '';
            }}
          />
          <Button size="small" look="soft" icon="upload" busy={isBusy} onClick={() => file.current?.click()}>
            {t('content.upload')}
          </Button>
          <span className="c">{t('content.upload_note')}</span>
        </div>
      )}
      <RefusalNote refused={refused} />
      <ReadGate query={query}>
        {({ items }) => (
          <ul className="pictures">
            {items.map((picture) => (
              <li key={picture.id}>
                <button type="button" onClick={() => onChoose?.(picture)} disabled={!onChoose}>
                  <img src={picture.url} alt={picture.id} loading="lazy" />
                  <span className="c">
                    {picture.by
                      ? `${picture.by.work_name} · ${picture.at ? dateTime(picture.at) : ''}`
                      : t('content.shipped')}
                  </span>
                  <span className="mono c">{picture.id}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </ReadGate>
    </div>
  );
}

export function PictureDialog({
  onChoose,
  onClose,
}: {
  onChoose: (picture: ContentPicture) => void;
  onClose: () => void;
}) {
  const { t } = useTexts();
  return (
    <Dialog label={t('content.pictures')} size="large" onClose={onClose}>
      <div className="bd col scroll">
        <h2>{t('content.pictures')}</h2>
        <ContentPictures
          onChoose={(picture) => {
            onChoose(picture);
            onClose();
          }}
        />
      </div>
    </Dialog>
  );
}
