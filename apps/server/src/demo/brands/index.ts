export { type BrandHost, readBrandHosts } from './brand-hosts.ts';
export { openHostRouter } from './open-host-router.ts';
export { runBrands } from './run-brands.ts';
export { type SupervisedServer, superviseServer } from './supervise-server.ts';
