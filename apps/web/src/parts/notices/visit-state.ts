import { useNavigation } from '@sathorn/app/navigation';
import { useCallback, useState } from 'react';

/** State that returns to `initial` at each navigation, even if the customer returns to a page. */
export function useVisitState<T>(initial: T): readonly [T, (value: T) => void] {
  const { address } = useNavigation();
  const [kept, setKept] = useState({ address, value: initial });
  const isKept = kept.address === address;
  if (!isKept) setKept({ address, value: initial });
  const setValue = useCallback((value: T) => setKept({ address, value }), [address]);
  return [isKept ? kept.value : initial, setValue];
}
