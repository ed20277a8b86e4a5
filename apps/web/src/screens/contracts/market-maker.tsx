import { ContractTexts } from '../../parts/contracts/contract-texts.tsx';
import { MakerDisclosure } from '../../parts/contracts/maker-disclosure.tsx';

/** `#/pages/contracts/maker`: the house's market maker, for anyone to see. */
export default function MarketMaker() {
  return (
    <ContractTexts>
      <div className="page">
        <MakerDisclosure />
      </div>
    </ContractTexts>
  );
}
