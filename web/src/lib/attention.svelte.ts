/** The page's title and icon: what is shown, and what calls for attention. */
import { assetUrl } from './urls';

let page = $state('');
let alert = $state('');

/** Set the page's title. */
export function setPageTitle(text: string): void {
  page = text;
}

/** Set an alert such as "Your turn" in the title and icon; '' clears it. */
export function setAlert(text: string): void {
  alert = text;
}

/** Update the tab's title and icon, deferred because rendering a move has priority. Returns a cancel function. */
export function showTitle(): () => void {
  const title = [alert && `● ${alert}`, page, 'Sixfold'].filter(Boolean).join(' · ');
  const iconHref = import.meta.env.BASE_URL + (alert ? 'icon-turn.svg' : 'icon.svg');
  const timer = setTimeout(() => {
    document.title = title;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon && icon.getAttribute('href') !== iconHref) icon.href = iconHref;
  });
  return () => clearTimeout(timer);
}

/** Show a notification that leads back to this page, if permitted and the page is not in focus. */
export function notify(title: string, body: string): Notification | null {
  if (!('Notification' in window) || Notification.permission !== 'granted') return null;
  if (document.visibilityState === 'visible' && document.hasFocus()) return null;
  const notification = new Notification(title, {
    body,
    icon: assetUrl('icon-192.png').href,
    tag: 'sixfold-turn',
  });
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
  return notification;
}
