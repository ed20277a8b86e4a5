import path from 'node:path';

/**
 * Files, or folders ending in `/`: relative to the app's root, or to the repository's if they begin with `packages/` or
 * `node_modules/`. A name that begins with `virtual:` is a module that a plugin makes.
 */
type Places = readonly string[];

/**
 * Chunks by name; the first match wins. A chunk contains these places with everything they import. With `sharedBy` it
 * contains only those of their files that at least so many other chunks would share, in one file instead of dozens.
 */
export type Chunks = Readonly<Record<string, Places | { readonly of: Places; readonly sharedBy: number }>>;

/** An output group of Rolldown. */
interface Group {
  name: string;
  test: (id: string) => boolean;
  priority: number;
  minShareCount?: number;
  includeDependenciesRecursively?: boolean;
}

const REACT = ['react', 'react-dom', 'scheduler'].map((name) => `/node_modules/${name}/`);
const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');

export function chunkGroups(chunks: Chunks, root: string): Group[] {
  const whole = (place: string) =>
    place.startsWith('virtual:')
      ? `\0${place}`
      : `${/^(?:packages|node_modules)\//.test(place) ? REPOSITORY : path.resolve(root)}/${place}`;
  const groups = Object.entries(chunks).map(([name, chunk], index): Group => {
    const places = ('of' in chunk ? chunk.of : chunk).map(whole);
    return {
      name,
      priority: Object.keys(chunks).length - index,
      test: (id) => places.some((place) => (place.endsWith('/') ? id.startsWith(place) : id === place)),
      ...('of' in chunk ? { minShareCount: chunk.sharedBy, includeDependenciesRecursively: false } : {}),
    };
  });
  // React rarely changes, so its own file stays cached across deployments.
  const react = (id: string) => REACT.some((folder) => id.includes(folder));
  return [{ name: 'react', test: react, priority: groups.length + 1 }, ...groups];
}
