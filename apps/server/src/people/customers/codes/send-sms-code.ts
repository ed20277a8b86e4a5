import { sendSmsCode } from '@sathorn/api';
import { refuse } from '@sathorn/settlement';
import { type CallContext, type Handler, handle } from '../../../platform/edge/index.ts';
import { findCustomerByContact } from '../customer-store.ts';
import type { CustomersModule } from '../customers.ts';
import type { Contact } from '../names/contact.ts';
import { parsePhoneNumber } from '../names/phone-number.ts';
import { sendCodeTo } from './send-code-to.ts';

/**
 * Decides about a phone number that cannot sign up. For a forgotten password the answer is the same for all numbers.
 */
async function mayGetCode(
  module: CustomersModule,
  contact: Contact,
  { request, customer }: CallContext<typeof sendSmsCode>,
) {
  if (request.must !== 'edit') return request.must === 'forget';
  return customer !== null && (await findCustomerByContact(module.database, contact))?.id === customer.id;
}

export function sendSmsCodeHandler(module: CustomersModule): Handler {
  return handle(sendSmsCode, async (context) => {
    const phone = parsePhoneNumber(context.request.userphone, module.brand.areas);
    if (phone.kind === 'other_area') return refuse('area_not_served', { field: 'userphone' });
    if (phone.kind === 'malformed') return refuse('malformed_request', { field: 'userphone' });
    const contact = { kind: 'phone', value: phone.e164 } as const;
    if (phone.kind === 'not_mobile' && !(await mayGetCode(module, contact, context)))
      return refuse('malformed_request', { field: 'userphone' });
    return sendCodeTo(module, contact, context);
  });
}
