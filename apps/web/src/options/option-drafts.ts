import { openDrafts } from '@sathorn/app/session';
import { useOptionHabits } from '../parts/orders/option-habits.ts';

/** The draft of a ticket, by coin. `again` is a purchase that the customer wants to repeat from a result. */
export const optionDrafts = openDrafts('option', {
  seconds: useOptionHabits.getState().seconds,
  amount: '',
  again: null as 'up' | 'down' | null,
});
