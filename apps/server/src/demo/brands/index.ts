export { type BrandHost, readBrandHosts } from './brand-hosts.ts';
export { openHostRouter } from './open-front.ts';
export { runBrands } from './run-brands.ts';
