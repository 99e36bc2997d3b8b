import { Content } from '@causeway/core/plugin'
import { libraryTheme, PALETTES } from './documentationTheme.js'

export const SCRIPT_NAME = 'page.js'

/** Height of the heading, which stays in sight. */
export const HEAD_PIXELS = 57

const THEMES = { light: libraryTheme(PALETTES.light), dark: libraryTheme(PALETTES.dark) }

/** The appearance that somebody chose on the other pages counts here too. */
const SCRIPT = `'use strict';
(() => {
  const chosen = () => {
    try { return localStorage.getItem('causeway.theme') } catch { return null }
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  const name = () => {
    const theme = chosen();
    return theme === 'light' || theme === 'dark' ? theme : system.matches ? 'dark' : 'light';
  };
  const themes = ${JSON.stringify(THEMES)};
  const shown = name();
  document.documentElement.dataset.theme = shown;
  // The library mixes its colours once.
  system.addEventListener('change', () => { if (name() !== shown) location.reload(); });
  document.addEventListener('DOMContentLoaded', () => {
    const place = document.getElementById('reference');
    Redoc.init(place.dataset.specUrl, { theme: themes[shown], scrollYOffset: ${HEAD_PIXELS}, nativeScrollbars: false }, place);
  });
})();
`

/** Shows the description with the library, in the appearance that the reader has. */
export const pageScript = (): Content => new Content('text/javascript; charset=utf-8', Buffer.from(SCRIPT))
