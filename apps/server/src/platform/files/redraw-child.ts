/** The process that decodes strangers' pictures. It redraws what it receives and has access to nothing else. */
import { accept, type Decision } from '@sathorn/settlement';
import {
  pictureLookOf,
  type RedrawnPicture,
  type RedrawRefusal,
  redrawAsAvatar,
  redrawMarked,
  redrawPicture,
} from './redraw.ts';

/** A stranger's picture, an avatar or the look of a stored one, or a stored one with a name drawn over it. */
export type RedrawWork = 'picture' | 'avatar' | 'look' | { readonly mark: string };
export type RedrawAnswer = Decision<RedrawnPicture, RedrawRefusal>;
export interface RedrawQuestion {
  readonly number: number;
  readonly work: RedrawWork;
  readonly bytes: Uint8Array;
}

async function answer({ work, bytes }: RedrawQuestion): Promise<RedrawAnswer> {
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (work === 'picture') return redrawPicture(picture);
  if (work === 'look') return accept(await pictureLookOf(picture));
  return accept(await (work === 'avatar' ? redrawAsAvatar(picture) : redrawMarked(picture, work.mark)));
}

process.on('message', (message) => {
  const question = message as RedrawQuestion;
  void answer(question).then((drawn) => process.send?.({ number: question.number, answer: drawn }));
});
// Exits when its parent does, whatever the reason.
process.on('disconnect', () => process.exit(0));
// Ctrl-C is handled by the parent, which may still need a picture for a request in progress.
process.on('SIGINT', () => undefined);
