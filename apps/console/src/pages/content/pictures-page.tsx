import { Pictures } from './pictures.tsx';

export default function PicturesPage() {
  return (
    <div className="page">
      <section className="card bd">
        <Pictures />
      </section>
    </div>
  );
}
