import { ContractTexts } from './contract-texts.tsx';
import { MakerDisclosure } from './maker-disclosure.tsx';

/** `#/pages/contracts/maker`: the public page about the house's market maker. */
export default function MarketMaker() {
  return (
    <ContractTexts>
      <div className="page">
        <MakerDisclosure />
      </div>
    </ContractTexts>
  );
}
