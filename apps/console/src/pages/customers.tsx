import { useRoute } from '../route.ts';
import { CustomerSearch } from './customers/customer-search.tsx';
import { Profile } from './customers/profile.tsx';

export default function Customers() {
  const { id } = useRoute();
  return id ? <Profile key={id} id={id} /> : <CustomerSearch />;
}
