import { readPicture, type User } from '@sathorn/api';
import { useRead } from '@sathorn/app/client';
import { Avatar } from '@sathorn/ui';

/** The customer's own picture, which only they may fetch; their initials until it is loaded. */
export function OwnAvatar({ user, size }: { user: User; size: number }) {
  const { data } = useRead(
    readPicture,
    { id: user.avatar ?? '' },
    { enabled: user.avatar !== null, freshForMs: Number.POSITIVE_INFINITY },
  );
  return (
    <Avatar name={user.nickname || user.username} picture={user.avatar === null ? null : data?.data_url} size={size} />
  );
}
