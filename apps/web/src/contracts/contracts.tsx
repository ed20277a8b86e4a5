import { ContractDesk } from './contract-desk.tsx';
import { ContractTexts } from './contract-texts.tsx';

/** `#/pages/contracts/contracts`: trading on one coin's book. */
export default function Contracts() {
  return (
    <ContractTexts>
      <ContractDesk />
    </ContractTexts>
  );
}
