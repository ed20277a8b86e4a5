/** The desk's chart and ticket, in one chunk because they are loaded together and at once. */
export { default as ContractChart } from './contract-chart.tsx';
export { default as TicketForm } from './ticket-form.tsx';
