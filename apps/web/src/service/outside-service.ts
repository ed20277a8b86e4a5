/** True if customer service is our own conversation. */
export function isOwnService(address: string): boolean {
  return address === '' || address.endsWith('#/pages/service/index');
}

/**
 * Returns the address of the brand's external service with `lan` and `name`, as the specification requires; null unless
 * it is https. It opens in its own window and never in a frame, because a page inside ours could ask for a password in
 * our name.
 */
export function outsideServiceUrl(
  address: string,
  of: { readonly language: string; readonly username: string; readonly id: string } | { readonly language: string },
): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
  url.searchParams.set('lan', of.language);
  if ('id' in of) url.searchParams.set('name', `${of.username}${of.id}`);
  return url;
}
