import { Late } from '@sathorn/app/late';
import { useNavigation } from '@sathorn/app/navigation';
import { useState } from 'react';
import { useKeys } from '../parts/keys/use-keys.ts';
import { useDeskText } from '../parts/text/desk-text.ts';
import './desk-keys.css';

const OPTION = '/pages/Option/Option';
const CONTRACTS = '/pages/contracts/contracts';
const loadSearch = () => import('./coin-search.tsx');
const loadList = () => import('./key-list.tsx');

/** The shortcut keys of every page on a desktop. The ticket handles its own keys on its page. */
export default function DeskKeys() {
  const t = useDeskText();
  const { navigate } = useNavigation();
  const [isSearching, setSearching] = useState(false);
  const [isListOpen, setListOpen] = useState(false);
  const openOptions = () => navigate(OPTION);
  const openContracts = () => navigate(CONTRACTS);
  useKeys(
    {
      '/': () => setSearching(true),
      '?': () => setListOpen(true),
      u: openOptions,
      d: openOptions,
      b: openContracts,
      s: openContracts,
    },
    true,
  );
  const closeSearch = () => setSearching(false);
  const closeList = () => setListOpen(false);
  return (
    <>
      <button type="button" className="desk-keys" onClick={() => setListOpen(true)}>
        <span aria-hidden="true">?</span>
        {t?.('keys.title')}
      </button>
      <Late load={loadSearch} sheet={{ open: isSearching, onClose: closeSearch }}>
        {(CoinSearch) => <CoinSearch open={isSearching} onClose={closeSearch} />}
      </Late>
      <Late load={loadList} sheet={{ open: isListOpen, onClose: closeList }}>
        {(KeyList) => <KeyList open={isListOpen} onClose={closeList} />}
      </Late>
    </>
  );
}
