import { ContractTexts } from './contract-texts.tsx';
import { MakerDisclosure } from './maker-disclosure.tsx';

/** `#/pages/contracts/maker`: the house's market maker, public. */
export default function MarketMaker() {
  return (
    <ContractTexts>
      <div className="page">
        <MakerDisclosure />
      </div>
    </ContractTexts>
  );
}
