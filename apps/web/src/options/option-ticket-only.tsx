import { OptionDesk } from './option-desk.tsx';

/** `#/pages/Option/Option_old`: the same ticket without the chart, for slow devices and connections. */
export default function OptionTicketOnly() {
  return <OptionDesk path="/pages/Option/Option_old" />;
}
