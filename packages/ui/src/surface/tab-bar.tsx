import { Icon, type IconName } from '../icon.tsx';
import './tab-bar.css';

export interface BarTab {
  path: string;
  icon: IconName;
  label: string;
  dot?: boolean;
  count?: { shown: string; label: string } | undefined;
}

interface TabBarProps {
  label: string;
  tabs: readonly BarTab[];
  current: string;
  onSwitch: (path: string) => void;
}

/** The five tabs at the bottom, on dark wood. */
export function TabBar({ label, tabs, current, onSwitch }: TabBarProps) {
  return (
    <nav className="ui-tab-bar" aria-label={label}>
      {tabs.map((tab) => (
        <a
          key={tab.path}
          href={`#${tab.path}`}
          aria-current={tab.path === current ? 'page' : undefined}
          onClick={(event) => {
            event.preventDefault();
            onSwitch(tab.path);
          }}
        >
          <Icon name={tab.icon} size={23} />
          <span>{tab.label}</span>
          {tab.count && (
            <span className="ui-tab-bar-count num">
              <span aria-hidden="true">{tab.count.shown}</span>
              <span className="unseen">{tab.count.label}</span>
            </span>
          )}
          {tab.dot && <i className="ui-tab-bar-dot" />}
        </a>
      ))}
    </nav>
  );
}
