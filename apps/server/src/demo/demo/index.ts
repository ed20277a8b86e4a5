export { assertSameMode } from './assert-same-mode.ts';
export { DEMO_CUSTOMER } from './demo-customer.ts';
export { enrolDemoPeople } from './enrol-people.ts';
export { fundDemoHandler, giveDemoMoney } from './fund-demo.ts';
export { DEMO_HOUSE_FUNDINGS, fundDemoBank, fundDemoHouse } from './fund-house.ts';
export { openDemo } from './open-demo.ts';
export { playScenes } from './people/play-scenes.ts';
