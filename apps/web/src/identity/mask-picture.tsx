import { Button, Icon, useText } from '@sathorn/ui';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

/** A rectangle in fractions of the picture's width and height. */
interface Cover {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a Thai identity card prints the religion; the customer can move it. */
const SUGGESTED: Cover = { x: 0.3, y: 0.56, width: 0.32, height: 0.09 };
const SIDE_MAX = 2_560;
const LEAST = 0.02;
const STEP = 0.01;

/**
 * Draws black bars over private fields. They are drawn into the pixels on this device, so the original is never sent
 * and cannot be recovered later.
 */
export function MaskPicture({ file, onDone }: { file: Blob; onDone: (picture: Blob) => void }) {
  const { t } = useText<'identity'>();
  const [url, setUrl] = useState<string>();
  const [covers, setCovers] = useState<readonly Cover[]>([SUGGESTED]);
  const [drawing, setDrawing] = useState<{ x: number; y: number; now: Cover } | null>(null);
  const stage = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  const placeOf = (event: PointerEvent) => {
    const box = stage.current?.getBoundingClientRect();
    const share = (at: number, from: number, size: number) => Math.min(1, Math.max(0, (at - from) / size));
    return box
      ? { x: share(event.clientX, box.left, box.width), y: share(event.clientY, box.top, box.height) }
      : { x: 0, y: 0 };
  };
  const begin = (event: PointerEvent) => {
    const at = placeOf(event);
    setDrawing({ ...at, now: { ...at, width: 0, height: 0 } });
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    if (!drawing) return;
    const { x, y } = placeOf(event);
    const now = {
      x: Math.min(x, drawing.x),
      y: Math.min(y, drawing.y),
      width: Math.abs(x - drawing.x),
      height: Math.abs(y - drawing.y),
    };
    setDrawing({ ...drawing, now });
  };
  const end = () => {
    if (drawing && drawing.now.width > LEAST && drawing.now.height > LEAST) setCovers([...covers, drawing.now]);
    setDrawing(null);
  };
  const nudge = (n: number, event: KeyboardEvent) => {
    const by = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] }[event.key];
    if (!by) return;
    event.preventDefault();
    const [dx = 0, dy = 0] = by;
    const within = (at: number, size: number) => Math.min(1 - size, Math.max(0, at));
    setCovers(
      covers.map((cover, place) =>
        place === n ? { ...cover, x: within(cover.x + dx, cover.width), y: within(cover.y + dy, cover.height) } : cover,
      ),
    );
  };

  const finish = () => {
    const picture = image.current;
    if (!picture || picture.naturalWidth === 0) return;
    const scale = Math.min(1, SIDE_MAX / Math.max(picture.naturalWidth, picture.naturalHeight));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.naturalWidth * scale);
    canvas.height = Math.round(picture.naturalHeight * scale);
    const context = canvas.getContext('2d');
    if (!context) return;
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    context.fillStyle = '#000';
    for (const { x, y, width, height } of covers)
      context.fillRect(x * canvas.width, y * canvas.height, width * canvas.width, height * canvas.height);
    canvas.toBlob((blob) => blob && onDone(blob), 'image/jpeg', 0.9);
  };

  const shown = drawing ? [...covers, drawing.now] : covers;
  return (
    <div className="stack">
      <p className="muted">{t('cert.mask_lead')}</p>
      <div ref={stage} className="mask-stage" dir="ltr" onPointerDown={begin} onPointerMove={move} onPointerUp={end}>
        {url && <img ref={image} src={url} alt={t('cert.side.front')} draggable={false} />}
        {shown.map((cover, n) => (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: covers have no other identity, and keep their order.
            key={n}
            type="button"
            className="mask-cover"
            aria-label={`${t('cert.mask')} ${n + 1}`}
            style={{
              left: `${cover.x * 100}%`,
              top: `${cover.y * 100}%`,
              width: `${cover.width * 100}%`,
              height: `${cover.height * 100}%`,
            }}
            onKeyDown={(event) => nudge(n, event)}
          />
        ))}
      </div>
      <p className="cap">{t('cert.private_hint')}</p>
      <div className="row">
        <Button look="soft" size="small" disabled={covers.length === 0} onClick={() => setCovers(covers.slice(0, -1))}>
          {t('cert.mask_undo')}
        </Button>
        <Button look="soft" size="small" onClick={() => setCovers([...covers, SUGGESTED])}>
          {t('cert.mask_add')}
        </Button>
      </div>
      <Button onClick={finish} disabled={covers.length === 0}>
        <Icon name="check" size={18} /> {t('cert.mask_done')}
      </Button>
    </div>
  );
}
