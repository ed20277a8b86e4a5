export { type BrandHost, readBrandHosts } from './brand-hosts.ts';
export { openFront } from './open-front.ts';
export { runBrands } from './run-brands.ts';
