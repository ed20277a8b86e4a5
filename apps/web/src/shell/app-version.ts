export const APP_VERSION = '1.0.0';
/** The same version as the native app counts it. */
export const APP_CODE = 109;

/** True when the native app's address carries a `v` above the built-in version. */
export function isNewer(appUrl: string, builtIn: number): boolean {
  const version = new URLSearchParams(appUrl.split('?')[1] ?? '').get('v') ?? '';
  return /^[0-9]{1,9}$/.test(version) && Number(version) > builtIn;
}
