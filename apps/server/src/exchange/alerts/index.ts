export { type Alerts, openAlerts } from './open-alerts.ts';
