import { sendSmsCode } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type Handler, handle } from '../../edge/index.ts';
import { parsePhoneNumber } from '../names/phone-number.ts';
import type { Room } from '../room.ts';
import { isCodeForSomebody } from './is-code-for-somebody.ts';

export function sendSmsCodeHandler(room: Room): Handler {
  return handle(sendSmsCode, async ({ request, customer, client, language, now }) => {
    const phone = parsePhoneNumber(request.userphone, room.brand.areas);
    if (phone.kind === 'other_area') return refuse('area_not_served', { field: 'userphone' });
    if (phone.kind === 'malformed') return refuse('malformed_request', { field: 'userphone' });
    const contact = { kind: 'phone', value: phone.e164 } as const;
    const isForSomebody = await isCodeForSomebody(room, contact, request.must, customer, now);
    return room.codes.send(
      {
        contact,
        purpose: request.must,
        address: client.address,
        language,
        customer: customer?.id ?? null,
        isForSomebody,
      },
      now,
    );
  });
}
