import { useRoute } from '../route.ts';
import { Profile } from './customers/profile.tsx';
import { Search } from './customers/search.tsx';

export default function Customers() {
  const { id } = useRoute();
  return id ? <Profile key={id} id={id} /> : <Search />;
}
