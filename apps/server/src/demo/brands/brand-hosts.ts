import { type Brand, brandNamed } from '@sathorn/brand';

/** A brand and the host name at which its customers reach it. */
export interface BrandHost {
  readonly brand: Brand;
  readonly host: string;
}

const HOST = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Parses `BRANDS=sathorn=app.sathorn.example,meridian=app.meridian.example`. Throws if it is invalid. */
export function readBrandHosts(text: string): BrandHost[] {
  const hosts = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part): BrandHost => {
      const [name = '', host = '', ...rest] = part.split('=').map((word) => word.trim().toLowerCase());
      const brand = brandNamed(name);
      if (brand === undefined) throw new Error(`BRANDS: there is no brand ${name}`);
      if (!HOST.test(host) || rest.length > 0) throw new Error(`BRANDS: ${part} must be brand=host.name`);
      return { brand, host };
    });
  const twice = hosts.find(({ brand, host }, n) =>
    hosts.some((other, m) => m < n && (other.host === host || other.brand.id === brand.id)),
  );
  if (twice) throw new Error(`BRANDS: ${twice.brand.id} or ${twice.host} is named twice`);
  if (hosts.length === 0) throw new Error('BRANDS names no brand');
  return hosts;
}

/**
 * The environment of one brand's server. A variable with the brand's name as prefix overrides the shared one, such as
 * `MERIDIAN_SMTP_URL`. Throws if two brands share a database or a folder.
 */
export function brandEnvironmentOf(
  { brand, host }: BrandHost,
  env: NodeJS.ProcessEnv,
  { port, frontPort }: { readonly port: number; readonly frontPort: number },
): NodeJS.ProcessEnv {
  const prefix = `${brand.id.toUpperCase()}_`;
  const own = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );
  if (env.DATABASE_URL && !own.DATABASE_URL)
    throw new Error(`BRANDS: each brand has its own database: set ${prefix}DATABASE_URL, not DATABASE_URL`);
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  return {
    ...env,
    BASE_URL: isLocal ? `http://${host}:${frontPort}` : `https://${host}`,
    DATA_DIR: `${env.DATA_DIR || './data'}/${brand.id}`,
    ...own,
    BRANDS: '',
    BRAND: brand.id,
    HOST: '127.0.0.1',
    PORT: String(port),
    // The port after a brand's own is nobody's, so brands name their practice platforms by PRACTICE_URL.
    PRACTICE: '0',
    TRUST_PROXY: String(Number(env.TRUST_PROXY || '0') + 1),
  };
}
