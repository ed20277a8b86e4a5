import { sendSmsCode } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import { parsePhoneNumber } from '../names/phone-number.ts';
import type { Room } from '../room.ts';
import { sendCodeTo } from './send-code-to.ts';

export function sendSmsCodeHandler(room: Room): Handler {
  return handle(sendSmsCode, async (context) => {
    const phone = parsePhoneNumber(context.request.userphone, room.brand.areas);
    if (phone.kind === 'other_area') return refuse('area_not_served', { field: 'userphone' });
    if (phone.kind === 'malformed') return refuse('malformed_request', { field: 'userphone' });
    return sendCodeTo(room, { kind: 'phone', value: phone.e164 }, context);
  });
}
