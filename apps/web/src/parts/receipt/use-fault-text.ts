import type { ReceiptFault } from '@sathorn/proof';
import { type CompiledCatalogue, type Language, type ReceiptMessageKey, textsOf } from '@sathorn/text';
import { useText } from '@sathorn/ui';
import { useQuery } from '@tanstack/react-query';

const LOADERS: Record<Language, () => Promise<{ default: CompiledCatalogue }>> = {
  th: () => import('virtual:catalogue/th/receipt'),
  en: () => import('virtual:catalogue/en/receipt'),
  zh: () => import('virtual:catalogue/zh/receipt'),
  jp: () => import('virtual:catalogue/jp/receipt'),
  ar: () => import('virtual:catalogue/ar/receipt'),
  hi: () => import('virtual:catalogue/hi/receipt'),
};

/** Words the faults of a receipt. The sentences are fetched when there is a fault; without them its code is shown. */
export function useFaultText(isNeeded: boolean): (fault: ReceiptFault) => string {
  const { t, presentation } = useText();
  const { language } = presentation;
  const { data, isPending } = useQuery({
    queryKey: ['receipt-faults', language],
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await LOADERS[language]()).default,
  });
  return (fault) => {
    // The compiler holds the catalogue to every fault that the proof can find.
    const key: ReceiptMessageKey = `verify.fault.${fault}`;
    if (data) return textsOf<ReceiptMessageKey>(data, presentation).text(key);
    return isPending ? '' : t('verify.fault.other', { code: fault });
  };
}
