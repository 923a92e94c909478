/** Synthesised sound effects; silent until sound is switched on. */
import { soundOn } from './settings.svelte';

let context: AudioContext | undefined;
let noise: AudioBuffer | undefined;

/** A tone that is struck and dies away, like a bar of wood or a bell. */
function toneBurst(
  at: number,
  frequency: number,
  length: number,
  volume: number,
  type: OscillatorType = 'sine',
): void {
  const tone = new OscillatorNode(context!, { type, frequency });
  const gain = new GainNode(context!, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(volume, at + 0.006);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(context!.destination);
  tone.start(at);
  tone.stop(at + length);
}

/** A short noise around a pitch: wood on wood, paper, a pencil. */
function noiseBurst(at: number, frequency: number, length: number, volume: number, q = 1.2): void {
  if (!noise) {
    noise = new AudioBuffer({ length: context!.sampleRate / 4, sampleRate: context!.sampleRate });
    const samples = noise.getChannelData(0);
    for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  }
  const source = new AudioBufferSourceNode(context!, { buffer: noise });
  const filter = new BiquadFilterNode(context!, { type: 'bandpass', frequency, Q: q });
  const gain = new GainNode(context!, { gain: 0 });
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(filter).connect(gain).connect(context!.destination);
  source.start(at, 0, length);
}

const SOUNDS = {
  move: (at: number): void => {
    noiseBurst(at, 900, 0.07, 0.5);
    toneBurst(at, 190, 0.12, 0.16);
  },
  card: (at: number): void => {
    noiseBurst(at, 3200, 0.09, 0.22, 0.7);
    noiseBurst(at + 0.06, 1400, 0.05, 0.18);
  },
  mark: (at: number): void => {
    noiseBurst(at, 4200, 0.06, 0.2, 2);
    noiseBurst(at + 0.08, 4600, 0.07, 0.2, 2);
  },
  roll: (at: number): void => {
    for (const offset of [0, 0.07, 0.13, 0.22, 0.29, 0.4, 0.47])
      noiseBurst(at + offset, 1100 + 900 * Math.random(), 0.045, 0.34 - offset * 0.4, 2.4);
  },
  turn: (at: number): void => {
    toneBurst(at, 660, 0.3, 0.07, 'triangle');
    toneBurst(at + 0.09, 880, 0.4, 0.07, 'triangle');
  },
  bonus: (at: number): void => {
    [523, 659, 784, 1047].forEach((pitch, step) =>
      toneBurst(at + step * 0.08, pitch, 0.45, 0.09, 'triangle'),
    );
  },
  end: (at: number): void => {
    [392, 523, 659, 784].forEach((pitch, step) => toneBurst(at + step * 0.13, pitch, 0.8, 0.09, 'triangle'));
    toneBurst(at + 0.52, 392, 1.2, 0.07);
  },
};

export function play(name: keyof typeof SOUNDS): void {
  if (!soundOn()) return;
  context ??= new AudioContext();
  SOUNDS[name](context.currentTime + 0.01);
}
