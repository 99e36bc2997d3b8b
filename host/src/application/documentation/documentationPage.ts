import { createHash } from 'node:crypto'
import { Content } from '@causeway/core/plugin'
import { HEAD_PIXELS, SCRIPT_NAME } from './documentationScript.js'
import { PALETTES, type Palette } from './documentationTheme.js'

const variables = ({ page, surface, line, lineStrong, ink, inkSoft, accent, accentSoft }: Palette): string =>
  Object.entries({
    page,
    surface,
    line,
    'line-strong': lineStrong,
    ink,
    'ink-soft': inkSoft,
    accent,
    'accent-soft': accentSoft,
  })
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ')

const STYLE = `
:root { color-scheme: light; ${variables(PALETTES.light)} }
:root[data-theme="dark"] { color-scheme: dark; ${variables(PALETTES.dark)} }
body { margin: 0; font-family: system-ui, sans-serif; background: var(--page); color: var(--ink); }
.fallback { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; line-height: 1.5; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.head { position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: ${HEAD_PIXELS}px; display: flex; align-items: center; gap: 1rem; padding: 0 clamp(1rem, 3vw, 2.5rem); background: var(--surface); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.75rem; font-weight: 680; font-size: 1.125rem; letter-spacing: -0.02em; color: var(--ink); text-decoration: none; }
.brand svg { width: 1.9rem; height: 1.9rem; flex: none; }
.head nav { margin-left: auto; display: flex; gap: 0.25rem 0.75rem; overflow-x: auto; scrollbar-width: none; }
.head nav a { color: var(--accent); font-size: 0.9375rem; white-space: nowrap; padding: 0.5rem 0.125rem; text-underline-offset: 0.18em; }
#theme:not([hidden]) { display: flex; flex: none; align-items: center; gap: 0.5rem; font-size: 0.875rem; color: var(--ink-soft); }
#theme select { font: inherit; height: 2.25rem; padding: 0 0.375rem; color: var(--ink); background: var(--page); border: 1px solid var(--line-strong); border-radius: 8px; }
.skip { position: absolute; left: 0.75rem; top: -4rem; z-index: 30; padding: 0.5rem 1rem; background: var(--accent); color: var(--page); border-radius: 8px; }
.skip:focus { top: 0.75rem; }
/* Colours that the library has no setting for. */
#reference h5, #reference h5 span { color: var(--ink-soft) !important; }
#reference [data-section-id] svg polygon { fill: currentcolor; }
#reference .token.number { color: #8ec5ea !important; }
#reference .token.boolean { color: #ff9c96 !important; }
:root[data-theme="dark"] #reference .react-tabs__tab--selected { background: #263538 !important; }
@media (max-width: 640px) { .head { gap: 0.5rem; padding: 0 0.75rem; } .head nav { gap: 0.5rem; min-width: 0; } .head nav a, #theme select { font-size: 0.875rem; } .brand span, #theme label { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; } }
`

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The style sheet of scroll bars that the library adds as it is. */
const LIBRARY_STYLE = "'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='"

/**
 * What the page may do: nothing but run the library, read the description, and style itself. The library makes its search
 * worker of a blob, and opens an empty style element that it fills by script, hence the hash of nothing.
 */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src ${sha256(STYLE)} ${sha256('')} ${LIBRARY_STYLE}`,
  "connect-src 'self'",
  'worker-src blob:',
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The other pages for people, as far as a host serves them. */
const AREAS = [
  { path: '/dashboard', text: 'Dashboard' },
  { path: '/console', text: 'Console' },
  { path: '/track', text: 'Track' },
  { path: '/try', text: 'Try' },
] as const

const BRAND_MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0d4f5c"/><path d="M5 13h22" stroke="#f4e9d8" stroke-width="3" stroke-linecap="round"/><path d="M8 22a4 4 0 0 1 8 0a4 4 0 0 1 8 0" fill="none" stroke="#5fd3c4" stroke-width="2.6" stroke-linecap="round"/><path d="M8 13v9M16 13v9M24 13v9" stroke="#f4e9d8" stroke-width="2.2" stroke-linecap="round"/></svg>'

/** Shown by the script, since nothing comes of a choice without it. */
const THEME_CHOICE = `<div id="theme" hidden><label for="theme-choice">Appearance</label><select id="theme-choice" autocomplete="off">
<option value="system">System</option>
<option value="light">Light</option>
<option value="dark">Dark</option>
</select></div>`

const linksTo = (served: ReadonlySet<string>, up: string): string =>
  AREAS.filter(({ path }) => served.has(path))
    .map(({ path, text }) => `<a href="${up}${path.slice(1)}">${text}</a>`)
    .join('\n')

export interface DocumentationPageParts {
  /** Relative path from the page to the files below it. */
  readonly base: string
  /** File name of the library. */
  readonly library: string
  /** Paths that the host serves. The heading links those for people. */
  readonly served: ReadonlySet<string>
}

/** The page that shows the description to people. */
export const documentationPage = ({ base, library, served }: DocumentationPageParts): Content =>
  Content.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cross-chain solver: reference</title>
<style>${STYLE}</style>
<script src="${base}${SCRIPT_NAME}"></script>
</head>
<body>
<a class="skip" href="#reference">Skip to the content</a>
<header class="head">
<span class="brand">${BRAND_MARK}<span>Causeway</span></span>
<nav aria-label="Areas">
${linksTo(served, base === '' ? '../' : '')}
</nav>
${THEME_CHOICE}
</header>
<noscript><p class="fallback">This page needs scripts. The same description for machines, in OpenAPI 3.1: <a href="${base}json">${base}json</a></p></noscript>
<div id="reference" tabindex="-1" data-spec-url="${base}json"></div>
<script src="${base}${library}"></script>
</body>
</html>
`)
