// Builds the pages into dist/web. Does nothing if sources, settings and libraries are those of the last run.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const outFolder = join(root, 'dist/web')
const hashFile = join(outFolder, 'sources.hash')

const hash = hashOf()
if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash) console.log('pages: up to date')
else await make()

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile())
    .sort()
}

function hashOf() {
  const hashed = createHash('sha256')
  const own = [fileURLToPath(import.meta.url), join(root, 'package.json'), ...filesOf(join(root, 'web'))]
  for (const path of own) hashed.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
  return hashed.digest('hex')
}

async function make() {
  const startedAt = performance.now()
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  rmSync(outFolder, { recursive: true, force: true })
  await build({
    root: join(root, 'web'),
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
        input: join(root, 'web/src/main.tsx'),
        output: {
          entryFileNames: 'assets/scripts/[name]-[hash].js',
          chunkFileNames: 'assets/scripts/[name]-[hash].js',
          assetFileNames: ({ names: [name = ''] }) =>
            `assets/${name.endsWith('.css') ? 'styles' : 'fonts'}/[name]-[hash][extname]`,
        },
      },
    },
  })
  const sizes = filesOf(join(outFolder, 'assets')).filter(isText).map(compress)
  writeFileSync(hashFile, hash)
  const kilobytes = Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000)
  console.log(`pages: built in ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${kilobytes} kB compressed`)
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
