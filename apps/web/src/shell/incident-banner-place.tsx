import './incident-banner-place.css';

const STORED_AS = 'incident';

/** Stores whether there is an incident, so that the next visit reserves the banner's space from its first paint. */
export function rememberOpenIncident(isOpen: boolean): void {
  try {
    if (isOpen) localStorage.setItem(STORED_AS, 'open');
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without storage the banner moves the page once when it appears.
  }
}

function wasOpen(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== null;
  } catch {
    return false;
  }
}

/** Reserves the banner's space if the last visit had an incident, because the banner loads after the page. */
export function IncidentBannerPlace() {
  return wasOpen() ? <div className="incident-place" /> : null;
}
