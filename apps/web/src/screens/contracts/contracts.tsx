import { ContractDesk } from '../../parts/contracts/contract-desk.tsx';
import { ContractTexts } from '../../parts/contracts/contract-texts.tsx';

/** `#/pages/contracts/contracts`: one coin's book, and what is bought and sold there. */
export default function Contracts() {
  return (
    <ContractTexts>
      <ContractDesk />
    </ContractTexts>
  );
}
