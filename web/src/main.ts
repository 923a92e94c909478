import { mount } from 'svelte';
import App from './App.svelte';
import './app.css';
import { act, inspect, makeTable } from './lib/api';
import { initLanguage } from './lib/language.svelte';
import { applyTheme } from './lib/settings.svelte';

// For the console: docs/tinkering.md.
Object.assign(globalThis, { sixfold: { makeTable, act, inspect } });

applyTheme();
await initLanguage();
mount(App, { target: document.getElementById('app')! });

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker
    .register(`${import.meta.env.BASE_URL}sw.js`)
    .catch((error: unknown) => console.info('not installable', error));
}
