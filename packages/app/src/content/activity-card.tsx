import { keepWordsWhole } from '@sathorn/text';
import './activity-card.css';

/** An activity in a list: picture, title, summary and end time. */
export function ActivityCard({
  title,
  summary,
  picture,
  when,
  isOver = false,
  onPress,
}: {
  title: string;
  summary: string;
  picture: string;
  when: string;
  isOver?: boolean;
  onPress?: () => void;
}) {
  return (
    <button type="button" className="activity-card" data-over={isOver ? '' : undefined} onClick={onPress}>
      {picture && <img src={picture} alt="" loading="lazy" width="750" height="300" />}
      <span className="activity-words">
        <span className="activity-title">{keepWordsWhole(title)}</span>
        {summary && <span className="activity-summary">{keepWordsWhole(summary)}</span>}
        <span className="activity-when">{when}</span>
      </span>
    </button>
  );
}

/** The heading of an activity's page, on top of its picture. */
export function ActivityHead({ title, picture, when }: { title: string; picture: string; when: string }) {
  return (
    <div className="activity-head">
      {picture && <img src={picture} alt="" width="750" height="300" />}
      <div className="activity-head-words">
        <h2>{keepWordsWhole(title)}</h2>
        <p>{when}</p>
      </div>
    </div>
  );
}
