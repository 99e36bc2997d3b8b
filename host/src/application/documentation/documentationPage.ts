import { createHash } from 'node:crypto'
import { Content } from '@causeway/core/plugin'
import { BUNDLE_NAME } from './referenceBundle.js'

const STYLE = `
body { margin: 0; font-family: system-ui, sans-serif; }
.fallback { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; line-height: 1.5; }
:focus-visible { outline: 2px solid #1d4ed8; outline-offset: 2px; }
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

/** The page that shows the description to people; `base` leads from it to what lies below it. */
export const documentationPage = (base: string): Content =>
  Content.html(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cross-chain solver: reference</title>
<style>${STYLE}</style>
</head>
<body>
<noscript><p class="fallback">This page needs scripts. The same description for machines, in OpenAPI 3.1: <a href="${base}json">${base}json</a></p></noscript>
<redoc spec-url="${base}json"></redoc>
<script src="${base}${BUNDLE_NAME}"></script>
</body>
</html>
`)
