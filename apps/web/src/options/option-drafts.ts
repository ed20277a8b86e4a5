import { draftsOf } from '@sathorn/app/session';
import { useHabits } from '../parts/orders/option-habits.ts';

/** The draft of a ticket, by coin. `again` is a purchase that the customer wants to repeat from a result. */
export const optionDrafts = draftsOf('option', {
  seconds: useHabits.getState().seconds,
  amount: '',
  again: null as 'up' | 'down' | null,
});
