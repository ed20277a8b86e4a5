import { sendEmailCode } from '@sathorn/api';
import { type Handler, handle } from '../../edge/index.ts';
import { emailContact } from '../names/contact.ts';
import type { Room } from '../room.ts';
import { isCodeForSomebody } from './is-code-for-somebody.ts';

export function sendEmailCodeHandler(room: Room): Handler {
  return handle(sendEmailCode, async ({ request, customer, client, language, now }) => {
    const contact = emailContact(request.email);
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
