import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { gzipSync } from 'node:zlib'
import { Content, type Reply, reply } from '@causeway/core'

const require = createRequire(import.meta.url)
const SCRIPT_TYPE = 'text/javascript; charset=utf-8'

const bundleName = (): string => {
  const manifest: unknown = JSON.parse(readFileSync(require.resolve('redoc/package.json'), 'utf8'))
  return `redoc-${String(Reflect.get(Object(manifest), 'version'))}.js`
}

/** File name of the library; it has the version in it, so that it may be kept for ever. */
export const BUNDLE_NAME = bundleName()

/**
 * Makes the function that answers with the library that shows the description to people, in the form that a client with this
 * `Accept-Encoding` takes. It is read and compressed when it is first asked for.
 */
export const referenceBundle = (): ((acceptEncoding: string) => Reply) => {
  let plain: Content | undefined
  let compressed: Content | undefined
  return (acceptEncoding) => {
    plain ??= new Content(SCRIPT_TYPE, readFileSync(require.resolve('redoc/bundles/redoc.standalone.js')))
    const vary = { vary: 'accept-encoding' }
    if (!/\bgzip\b/.test(acceptEncoding)) return reply(plain, { headers: vary })
    compressed ??= new Content(SCRIPT_TYPE, gzipSync(plain.bytes))
    return reply(compressed, { headers: { ...vary, 'content-encoding': 'gzip' } })
  }
}
