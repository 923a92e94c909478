/** The page's title and icon: what is shown, and what calls for attention. */
import { beside } from './places';

let page = $state('');
let calling = $state('');

/** What this page shows. */
export function titled(text: string): void {
  page = text;
}

/** Something calls for attention, as "Your turn"; '' when nothing does any more. */
export function call(text: string): void {
  calling = text;
}

/** As the browser's tab shows it: a moment later, because a move on the table goes first. Returns how to give it up. */
export function showTitle(): () => void {
  const title = [calling && `● ${calling}`, page, 'Sixfold'].filter(Boolean).join(' · ');
  const wanted = import.meta.env.BASE_URL + (calling ? 'icon-turn.svg' : 'icon.svg');
  const timer = setTimeout(() => {
    document.title = title;
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
    if (icon && icon.getAttribute('href') !== wanted) icon.href = wanted;
  });
  return () => clearTimeout(timer);
}

/** A notification that leads back to this page; only where somebody asked for it and does not look. */
export function notify(title: string, body: string): Notification | null {
  if (!('Notification' in window) || Notification.permission !== 'granted') return null;
  if (document.visibilityState === 'visible' && document.hasFocus()) return null;
  const note = new Notification(title, { body, icon: beside('icon-192.png').href, tag: 'sixfold-turn' });
  note.onclick = () => {
    window.focus();
    note.close();
  };
  return note;
}
