import { type CompiledCatalogue, type Language, type ReceiptMessageKey, type TextParams, textsOf } from '@sathorn/text';
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

export type SpeakReceipt = (key: ReceiptMessageKey, params?: TextParams) => string;

/** Sentences about receipts and evidence, which are fetched when something is to be said; undefined until they are here. */
export function useReceiptText(isNeeded: boolean): { speak: SpeakReceipt | undefined; isPending: boolean } {
  const { presentation } = useText();
  const { language } = presentation;
  const { data, isPending } = useQuery({
    queryKey: ['receipt-faults', language],
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await LOADERS[language]()).default,
  });
  if (!data) return { speak: undefined, isPending };
  const texts = textsOf<ReceiptMessageKey>(data, presentation, { isolates: true });
  return { speak: (key, params) => texts.text(key, params), isPending: false };
}
