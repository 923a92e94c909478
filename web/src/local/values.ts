/** States as text. */
import type { State } from '../rules';

export const decodeState = (text: string): State =>
  Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
export const encodeState = (state: State): string => btoa(String.fromCharCode(...state));
