import { sendEmailCode } from '@sathorn/api';
import { type Handler, handle } from '../../../platform/edge/index.ts';
import type { CustomersModule } from '../customers.ts';
import { emailContact } from '../names/contact.ts';
import { sendCodeTo } from './send-code-to.ts';

export function sendEmailCodeHandler(module: CustomersModule): Handler {
  return handle(sendEmailCode, async (context) => sendCodeTo(module, emailContact(context.request.email), context));
}
