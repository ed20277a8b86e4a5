import './incident-place.css';

const STORED_AS = 'incident';

/** For the next visit, which keeps the banner's place from its first paint. */
export function rememberIncident(isOpen: boolean): void {
  try {
    if (isOpen) localStorage.setItem(STORED_AS, 'open');
    else localStorage.removeItem(STORED_AS);
  } catch {
    // Without storage the banner moves the page once.
  }
}

function wasOpen(): boolean {
  try {
    return localStorage.getItem(STORED_AS) !== null;
  } catch {
    return false;
  }
}

/** As tall as the banner, when there was an incident at the last visit: the banner itself comes after the page. */
export function IncidentPlace() {
  return wasOpen() ? <div className="incident-place" /> : null;
}
