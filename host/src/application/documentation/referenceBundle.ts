import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { Content, type Reply, reply } from '@causeway/core/plugin'

const require = createRequire(import.meta.url)
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

const bundleName = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(require.resolve('redoc/package.json'), 'utf8'))
  return `redoc-${String(Reflect.get(Object(manifest), 'version'))}.js`
}

/** File name of the library; it has the version in it, so that it may be kept for ever. */
export const BUNDLE_NAME = bundleName()

/** The logo of the library's makers, which every reader's browser would fetch from their server. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'
/** In its place: a picture of nothing. */
const NO_LOGO = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/** The library, without what it would load from elsewhere. @throws Error when a version of it has its logo elsewhere */
const readBundle = (): Content => {
  const text = readFileSync(require.resolve('redoc/bundles/redoc.standalone.js'), 'utf8')
  if (!text.includes(LOGO)) throw new Error('This version of the library has its logo elsewhere; look what it loads.')
  return new Content(SCRIPT_TYPE, Buffer.from(text.replaceAll(`"${LOGO}"`, JSON.stringify(NO_LOGO))))
}

/**
 * Makes the function that answers with the library that shows the description to people, in the form that a client with this
 * `Accept-Encoding` takes. It is read and compressed when it is first asked for.
 */
export const referenceBundle = (): ((acceptEncoding: string) => Reply) => {
  let plain: Content | undefined
  let compressed: Content | undefined
  return (acceptEncoding) => {
    plain ??= readBundle()
    const vary = { vary: 'accept-encoding' }
    if (!/\bgzip\b/.test(acceptEncoding)) return reply(plain, { headers: vary })
    compressed ??= new Content(SCRIPT_TYPE, gzipSync(plain.bytes))
    return reply(compressed, { headers: { ...vary, 'content-encoding': 'gzip' } })
  }
}
