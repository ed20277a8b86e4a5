import { useSession } from '@sathorn/app/session';
import { useQuery } from '@tanstack/react-query';
import { readDeviceKey } from './device-key.ts';

/** This device's key for the customer who is signed in; null if there is none, undefined while it is read. */
export function useDeviceKey() {
  const customer = useSession(({ user }) => user?.id);
  return useQuery({
    queryKey: ['device-key', customer],
    enabled: customer !== undefined,
    // Another device may have removed it meanwhile.
    staleTime: 0,
    queryFn: () => (customer === undefined ? null : readDeviceKey(customer)),
  });
}
