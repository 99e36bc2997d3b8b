// Builds the pages into dist/web. Does nothing if sources, settings and libraries are those of the last run.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle, bundleForService, filesOf } from './bundle.mjs'

/** What pages begin as: all of it, the form that opens it, and where a transfer is; and what runs before each. */
const ENTRIES = ['src/main.tsx', 'src/signIn.tsx', 'src/track.tsx', 'src/early.ts']

const root = fileURLToPath(new URL('..', import.meta.url))
const outFolder = join(root, 'dist/web')
const hashFile = join(outFolder, 'sources.hash')

const hash = hashOf()
if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hash) console.log('pages: up to date')
else await make()

function hashOf() {
  const hashed = createHash('sha256')
  const own = [...filesOf(join(root, 'build')), join(root, 'package.json'), ...filesOf(join(root, 'web'))]
  for (const path of own) hashed.update(`${path.slice(root.length)}\0`).update(readFileSync(path))
  return hashed.digest('hex')
}

async function make() {
  const startedAt = performance.now()
  const size = await bundle({ root: join(root, 'web'), entries: ENTRIES, outFolder })
  await bundleForService({ root: join(root, 'web'), entry: 'src/draw.tsx', outFolder: join(outFolder, 'draw') })
  writeFileSync(hashFile, hash)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`pages: built in ${seconds} s, ${Math.round(size / 1000)} kB compressed`)
}
