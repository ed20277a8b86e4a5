import { readPicture } from '@sathorn/api';
import { failureText, useRead } from '@sathorn/app/client';
import { Late } from '@sathorn/app/late';
import type { DocumentSide } from '@sathorn/identity';
import { formatPercent } from '@sathorn/text';
import { Badge, Card, Icon, ProgressBar, Skeleton, useText } from '@sathorn/ui';
import { useEffect, useRef, useState } from 'react';
import { fitPictureForUpload } from '../parts/forms/fit-picture.ts';
import { uploadPicture } from '../parts/forms/upload-picture.ts';

const loadMask = async () => ({ default: (await import('./mask-picture.tsx')).MaskPicture });

interface SidePictureProps {
  side: DocumentSide;
  /** The front of a Thai identity card shows private fields, which are covered before the upload. */
  isMasked: boolean;
  /** The previous application's picture, if it may stay. */
  kept: string | null;
  /** The form's error for this picture; undefined for none. */
  error: string | undefined;
  onUploaded: (id: string) => void;
}

/** One side of a document: instructions, picture, progress and errors. */
export function SidePicture({ side, isMasked, kept, error, onUploaded }: SidePictureProps) {
  const texts = useText();
  const { t, presentation } = useText<'identity'>();
  const [file, setFile] = useState<Blob | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [share, setShare] = useState<number>();
  const [fault, setFault] = useState<string>();
  const [isReady, setReady] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => () => void (shown && URL.revokeObjectURL(shown)), [shown]);

  const send = async (picture: Blob) => {
    setFile(null);
    setFault(undefined);
    setShown(URL.createObjectURL(picture));
    setShare(0);
    const uploaded = await uploadPicture(picture, setShare);
    setShare(undefined);
    setReady(uploaded.ok);
    if (uploaded.ok) return onUploaded(uploaded.data.id);
    setFault(uploaded.isAnswered ? failureText(uploaded, texts) : texts.t('said.upload_failed'));
  };
  const take = async (chosen: File | undefined) => {
    if (input.current) input.current.value = '';
    if (!chosen) return;
    if (!isMasked) return send(chosen);
    setFault(undefined);
    const picture = await fitPictureForUpload(chosen);
    setFile(picture);
    if (picture === null) setFault(texts.t('said.picture_unreadable'));
  };
  const percent = formatPercent((share ?? 0).toFixed(2), presentation, { maxDecimals: 0 });
  const isBusy = share !== undefined;
  const said = fault ?? error;
  return (
    <Card className="cert-side">
      <div className="row">
        <h2>{t(`cert.side.${side}`)}</h2>
        {kept !== null && !isReady && (
          <Badge tone="success" mark="check">
            {t('cert.kept')}
          </Badge>
        )}
        {isReady && (
          <Badge tone="success" mark="check">
            {t('cert.ready')}
          </Badge>
        )}
      </div>
      {file ? (
        <Late load={loadMask} waiting={<Skeleton height={220} />}>
          {(MaskPicture) => <MaskPicture file={file} onDone={(picture) => void send(picture)} />}
        </Late>
      ) : shown ? (
        <img className="cert-picture" src={shown} alt={t(`cert.side.${side}`)} />
      ) : kept ? (
        <KeptPicture id={kept} side={side} />
      ) : (
        <div className="cert-frame">
          <Icon name={side === 'selfie' ? 'person' : 'card'} size={44} />
        </div>
      )}
      {isBusy && <ProgressBar share={share} label={t('cert.uploading', { percent })} />}
      {said && (
        <p className="form-refusal" role="alert">
          <Icon name="warning" size={18} />
          <span>{said}</span>
        </p>
      )}
      <p className="muted">{t(side === 'selfie' ? 'cert.side.selfie_guide' : 'cert.side.guide')}</p>
      <label className="cert-choose" data-busy={isBusy ? '' : undefined} data-invalid={error ? 'true' : undefined}>
        <Icon name="camera" size={20} />
        <span>{t(file || shown || kept ? 'cert.take_again' : 'cert.take')}</span>
        <input
          ref={input}
          className="unseen"
          type="file"
          name={side}
          accept="image/jpeg,image/png,image/webp"
          disabled={isBusy}
          onChange={(event) => void take(event.target.files?.[0])}
        />
      </label>
    </Card>
  );
}

/** A picture that was uploaded earlier, shown to its owner. */
function KeptPicture({ id, side }: { id: string; side: DocumentSide }) {
  const { t } = useText<'identity'>();
  const { data } = useRead(readPicture, { id }, { freshForMs: 600_000 });
  if (!data) return <Skeleton height={132} />;
  return <img className="cert-picture" src={data.data_url} alt={t(`cert.side.${side}`)} />;
}
