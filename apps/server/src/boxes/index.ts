export { type BeaconClient, openBeacon } from './beacon-client.ts';
export { demoBoxes } from './demo-boxes.ts';
export { type Boxes, type NewCoupon, openBoxes } from './open-boxes.ts';
export type { ProposedBox } from './publish-box.ts';
