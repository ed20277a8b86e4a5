import { ContentPictures } from './pictures.tsx';

export default function PicturesPage() {
  return (
    <div className="page">
      <section className="card bd">
        <ContentPictures />
      </section>
    </div>
  );
}
