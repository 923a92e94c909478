/** The page's title and icon: what is shown, and what calls for attention. */
import { assetUrl } from './places';

let page = $state('');
let alert = $state('');

/** What this page shows. */
export function titled(text: string): void {
  page = text;
}

/** Something calls for attention, as "Your turn"; '' when nothing does any more. */
export function call(text: string): void {
  alert = text;
}

/** As the browser's tab shows it: a moment later, because a move on the table goes first. Returns how to give it up. */
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

/** A notification that leads back to this page; only where somebody asked for it and does not look. */
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
