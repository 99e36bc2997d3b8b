import { randomBytes } from 'node:crypto'
import { Content, type Reply, reply } from '@causeway/core/plugin'
import type { BuiltPages, PageEntry } from '../assets/builtPages.js'
import type { Area } from './pagePaths.js'

/** What the script of a page is told before it asks anything. */
export interface PageFacts {
  readonly area: Area
  readonly network: string
  /** Only in a sandbox is there something to try. */
  readonly sandbox: boolean
  readonly extensions: readonly ShownExtension[]
}

/** A first view that the service has drawn, so that nobody waits for scripts to see it. */
export interface DrawnView {
  /** Markup for the root of the page. */
  readonly html: string
  /** What the page takes it over with: when it was drawn, in Unix milliseconds, and of which answer. */
  readonly of: { readonly at: number; readonly transfer: object | null }
}

export interface ShownExtension {
  readonly id: string
  readonly title: string
  readonly area: 'dashboard' | 'console'
  readonly place: 'page' | 'panel'
  readonly script: string
}

/** Title, description and picture of a link that somebody shares; all are plain text. */
export interface Preview {
  readonly title: string
  readonly description: string
  /** Absolute; null where the public address is not known. */
  readonly image: string | null
}

/** Text as it stands in HTML, between tags or in a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * What a page may do: run and style itself with files of its own origin. `nonce` is for the one style element that the
 * library of dialogs makes while it keeps the page behind from scrolling.
 */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
}

const previewTags = ({ title, description, image }: Preview): string => {
  const named = (attribute: string, name: string, content: string) =>
    `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`
  return [
    named('name', 'description', description),
    named('property', 'og:type', 'website'),
    named('property', 'og:title', title),
    named('property', 'og:description', description),
    ...(image === null
      ? []
      : [named('property', 'og:image', image), named('name', 'twitter:card', 'summary_large_image')]),
  ].join('\n')
}

/** By what a page is sooner there: nothing but loading depends on it. */
export interface FirstView {
  /** Whether whoever asks for it has a session, or had one. */
  readonly isSignedIn: boolean
  /** Path of the first call of its script, which the browser makes while it loads that; null where there is none. */
  readonly firstCall: string | null
  /** Null: the browser draws it. */
  readonly drawn: DrawnView | null
}

/** A page that is drawn loads its scripts once it has been seen, all others at once. */
const scriptTags = ({ early, script, preloads }: PageEntry, isDrawn: boolean): string =>
  isDrawn
    ? `<script src="${early}" data-next="${[script, ...preloads].join(' ')}"></script>`
    : `<script src="${early}"></script>\n<script type="module" src="${script}"></script>`

/**
 * The page that every view of an area begins as: the view where it is drawn already, scripts and styles by name, facts in a meta tag.
 * The script that all others wait for is named first, behind the one that runs before anything is shown.
 */
export const shellPage = (
  pages: BuiltPages,
  facts: PageFacts,
  preview: Preview,
  { isSignedIn, firstCall, drawn }: FirstView,
): Reply => {
  const nonce = randomBytes(16).toString('base64')
  const entry = pages.entryOf(facts.area, isSignedIn)
  const { styles, preloads, fonts } = entry
  // A transfer is full of ids.
  const firstFonts = drawn?.of.transfer ? [...fonts.words, ...fonts.ids] : fonts.words
  const content = escapeHtml(JSON.stringify({ ...facts, nonce, drawn: drawn?.of ?? null }))
  const page = Content.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(preview.title)}</title>
${previewTags(preview)}
<meta name="causeway" content="${content}">
<link rel="icon" href="/dashboard/icon.svg" type="image/svg+xml">
${scriptTags(entry, drawn !== null)}
${firstCall === null ? '' : `<link rel="preload" as="fetch" crossorigin="anonymous" href="${escapeHtml(firstCall)}">`}
${firstFonts.map((href) => `<link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href="${href}">`).join('\n')}
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${drawn === null ? preloads.map((href) => `<link rel="modulepreload" href="${href}">`).join('\n') : ''}
</head>
<body>
<noscript><p>Without scripts this page shows no more than this. Everything can be had from the API, which is described at <a href="/documentation">/documentation</a>.</p></noscript>
<div id="root">${drawn?.html ?? ''}</div>
</body>
</html>
`)
  return reply(page, { headers: { ...HEADERS, 'content-security-policy': policyOf(nonce) } })
}
