import { Content } from '@causeway/core/plugin'
import { libraryTheme, PALETTES } from './documentationTheme.js'

export const SCRIPT_NAME = 'page.js'

/** Height of the heading, which stays in sight. */
export const HEAD_PIXELS = 57

const THEMES = { light: libraryTheme(PALETTES.light), dark: libraryTheme(PALETTES.dark) }

/** The appearance that somebody chose counts on all pages, and may be chosen here too. */
const SCRIPT = `'use strict';
(() => {
  // A browser that keeps nothing is offered no choice: the page is loaded again with it.
  const storage = (() => { try { return localStorage } catch { return null } })();
  const chosen = () => storage === null ? null : storage.getItem('causeway.theme');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const name = () => {
    const theme = chosen();
    return theme === 'light' || theme === 'dark' ? theme : system.matches ? 'dark' : 'light';
  };
  const themes = ${JSON.stringify(THEMES)};
  const shown = name();
  document.documentElement.dataset.theme = shown;
  // The library mixes its colours once.
  const follow = () => { if (name() !== shown) location.reload(); };
  system.addEventListener('change', follow);
  const offerThemes = () => {
    if (storage === null) return;
    const select = document.getElementById('theme-choice');
    const theme = chosen();
    select.value = theme === 'light' || theme === 'dark' ? theme : 'system';
    select.addEventListener('change', () => { storage.setItem('causeway.theme', select.value); follow(); });
    document.getElementById('theme').hidden = false;
  };
  document.addEventListener('DOMContentLoaded', () => {
    offerThemes();
    const place = document.getElementById('reference');
    Redoc.init(place.dataset.specUrl, { theme: themes[shown], scrollYOffset: ${HEAD_PIXELS}, nativeScrollbars: false }, place);
  });
})();
`

/** Shows the description with the library, in the appearance that the reader has. */
export const pageScript = (): Content => new Content('text/javascript; charset=utf-8', Buffer.from(SCRIPT))
