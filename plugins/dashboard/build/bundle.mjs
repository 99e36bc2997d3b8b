// How every page is built: with these settings, and each text compressed beside itself.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** All files below a folder, in order. */
export function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .sort()
}

/** What each first view needs is one file, and what several need another: each file more makes it later. */
const GROUPS = [
  { name: 'begin', test: /src[\\/](show|shell[\\/]session[\\/]SignIn)\.tsx$/, priority: 3 },
  { name: 'query', test: /src[\\/]api[\\/]queryClient\.ts$|react-query/, priority: 2 },
  { name: 'transfer', test: /src[\\/]areas[\\/]track[\\/]TrackArea\.tsx$/, priority: 1 },
]

/** Builds `entries` of the sources in `root` into `outFolder`; gives their size in bytes, compressed. */
export async function bundle({ root, entries, outFolder }) {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  rmSync(outFolder, { recursive: true, force: true })
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    base: '/dashboard/',
    plugins: [react()],
    build: {
      outDir: outFolder,
      emptyOutDir: true,
      manifest: 'manifest.json',
      // Data URLs of fonts would need a policy of their own.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: entries.map((entry) => join(root, entry)),
        output: {
          codeSplitting: { groups: GROUPS },
          entryFileNames: 'assets/scripts/[name]-[hash].js',
          chunkFileNames: 'assets/scripts/[name]-[hash].js',
          assetFileNames: ({ names: [name = ''] }) =>
            `assets/${name.endsWith('.css') ? 'styles' : 'fonts'}/[name]-[hash][extname]`,
        },
      },
    },
  })
  const sizes = filesOf(join(outFolder, 'assets')).filter(isText).map(compress)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Builds what draws first views in the service, with the libraries in it. */
export async function bundleForService({ root, entry, outFolder }) {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    plugins: [react()],
    define: { 'process.env.NODE_ENV': '"production"' },
    ssr: { noExternal: true },
    build: { ssr: entry, outDir: outFolder, emptyOutDir: true, minify: true, target: 'node20' },
  })
}

function isText(path) {
  return /\.(js|css|svg)$/.test(path)
}

/** Beside each file its compressed forms, so that no host compresses anything. */
function compress(path) {
  const text = readFileSync(path)
  const small = gzipSync(text, { level: 9 })
  writeFileSync(`${path}.gz`, small)
  writeFileSync(`${path}.br`, brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
  return small.length
}
