/** A few soft tones, made here; silent until somebody asks for sound. */
import { soundOn } from './settings.svelte';

const TONES = {
  place: [[330, 0.09]],
  roll: [
    [180, 0.04],
    [210, 0.04],
    [190, 0.05],
  ],
  turn: [[523, 0.12]],
  bonus: [
    [523, 0.09],
    [659, 0.09],
    [784, 0.18],
  ],
  end: [
    [392, 0.14],
    [523, 0.14],
    [659, 0.28],
  ],
} satisfies Record<string, [number, number][]>;

let context: AudioContext | undefined;

export function play(name: keyof typeof TONES): void {
  if (!soundOn()) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [frequency, length] of TONES[name] as [number, number][]) {
    const tone = new OscillatorNode(context, { type: 'triangle', frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.0001, at);
    volume.gain.exponentialRampToValueAtTime(0.12, at + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
    at += length * 0.8;
  }
}
