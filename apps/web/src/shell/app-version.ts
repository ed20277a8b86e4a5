export const APP_VERSION = '1.0.0';
/** The version in the native app's numbering. */
export const APP_VERSION_CODE = 109;

/** True if the native app's download address names a higher version than the built-in one. */
export function isNewerApp(appUrl: string, builtIn: number): boolean {
  const version = new URLSearchParams(appUrl.split('?')[1] ?? '').get('v') ?? '';
  return /^[0-9]{1,9}$/.test(version) && Number(version) > builtIn;
}
