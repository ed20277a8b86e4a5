import { draftsOf } from '@sathorn/app/session';
import { useHabits } from '../parts/orders/option-habits.ts';

/** A ticket by its coin. `again` is a purchase that the customer asked to repeat, from a result. */
export const optionDrafts = draftsOf('option', {
  seconds: useHabits.getState().seconds,
  amount: '',
  again: null as 'up' | 'down' | null,
});
