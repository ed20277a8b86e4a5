import { listSlides } from '@sathorn/api';
import { accept } from '@sathorn/settlement';
import { type Handler, handle } from '../edge/index.ts';
import type { Content } from './open-content.ts';
import { slidesOf } from './slides.ts';

export function listSlidesHandler(content: Content): Handler {
  return handle(listSlides, async ({ request, language }) =>
    accept(slidesOf(request.position, content.mode, language)),
  );
}
