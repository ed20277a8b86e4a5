import { ContractDesk } from './contract-desk.tsx';
import { ContractTexts } from './contract-texts.tsx';

/** `#/pages/contracts/contracts`: one coin's book, and what is bought and sold there. */
export default function Contracts() {
  return (
    <ContractTexts>
      <ContractDesk />
    </ContractTexts>
  );
}
