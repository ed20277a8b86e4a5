import { setPreferences, usePreferences } from '@sathorn/app/preferences';
import { Icon, useText } from '@sathorn/ui';
import './favourite-star.css';

/** Marks a coin as a favourite on this device. */
export function FavouriteStar({ code }: { code: string }) {
  const { t } = useText();
  const favourites = usePreferences((preferences) => preferences.favourites);
  const isMarked = favourites.includes(code);
  return (
    <button
      type="button"
      className="favourite-star"
      aria-pressed={isMarked}
      aria-label={t('coins.favourite', { coin: code })}
      onClick={() =>
        setPreferences({
          favourites: isMarked ? favourites.filter((marked) => marked !== code) : [...favourites, code],
        })
      }
    >
      <Icon name="star" size={18} />
    </button>
  );
}
