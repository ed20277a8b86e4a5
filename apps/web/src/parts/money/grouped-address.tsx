import './grouped-address.css';

/** An address in groups of four, as people compare them; the first and last groups are emphasised. */
export function GroupedAddress({ address }: { address: string }) {
  const { prefix, groups } = groupsOf(address);
  const places = groups.map((group, place) => ({ group, key: `${place} ${group}` }));
  return (
    <span className="grouped-address" dir="ltr">
      <span className="unseen">{address}</span>
      {/* An address with a prefix takes two lines; the second line starts below the first group. */}
      <span className="address-groups mono" aria-hidden="true" data-prefix={prefix === '' ? undefined : ''}>
        {prefix !== '' && <span>{prefix}</span>}
        {places.map(({ group, key }, place) => (
          <span key={key} data-end={place === 0 || place === groups.length - 1 ? '' : undefined}>
            {group}
          </span>
        ))}
      </span>
    </span>
  );
}

export function groupsOf(address: string): { prefix: string; groups: string[] } {
  const prefix = address.startsWith('0x') ? '0x' : '';
  return { prefix, groups: address.slice(prefix.length).match(/.{1,4}/g) ?? [] };
}

/** Returns the beginning and the end of an address, for one line of a list. Not for comparing addresses. */
export const shortAddress = (address: string): string =>
  address.length <= 14 ? address : `${address.slice(0, 6)}…${address.slice(-4)}`;

export const shortHash = (hash: string): string => (hash.length <= 18 ? hash : `${hash.slice(0, 8)}…${hash.slice(-6)}`);
