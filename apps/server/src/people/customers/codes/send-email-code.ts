import { sendEmailCode } from '@sathorn/api';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import { emailContact } from '../names/contact.ts';
import type { Room } from '../room.ts';
import { sendCodeTo } from './send-code-to.ts';

export function sendEmailCodeHandler(room: Room): Handler {
  return handle(sendEmailCode, async (context) => sendCodeTo(room, emailContact(context.request.email), context));
}
