// Bundles each built package into few files beside its build: a host imports a tenth of the modules, and starts with a third less work.
// A package stays a package: what it imports of others is resolved by Node, so that all share one core. Does nothing for a package whose
// build has not changed.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const own = fileURLToPath(import.meta.url)

/** Where the bundle of a package is; flat, so that every module has one place relative to it. */
const FOLDER = 'dist/bundle'

const packages = manifestOf(root)
  .workspaces.flatMap((place) => (place.endsWith('/*') ? foldersIn(place.slice(0, -2)) : [place]))
  .map((folder) => join(root, folder))
const stale = packages.filter((folder) => isBuilt(folder) && !isFresh(folder))
const startedAt = performance.now()
for (const folder of stale) await bundle(folder)
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(stale.length === 0 ? 'bundles: up to date' : `bundles: ${stale.length} packages in ${seconds} s`)

function foldersIn(parent) {
  const found = readdirSync(join(root, parent)).map((name) => join(parent, name))
  return found.filter((folder) => existsSync(join(root, folder, 'package.json')))
}

function manifestOf(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** Built files that the package's manifest says are bundled, by the name of their bundle; null for a package that is not. */
function entriesOf(folder) {
  const { exports = {}, bin } = manifestOf(folder)
  const bundled = Object.values(exports).filter(({ unbundled }) => unbundled !== undefined)
  if (bundled.length === 0) return null
  const named = bundled.map((entry) => [
    relative(FOLDER, entry.default).replace(/\.js$/, ''),
    join(folder, entry.unbundled),
  ])
  return Object.fromEntries(bin === undefined ? named : [...named, ['main', join(folder, 'dist/cli/main.js')]])
}

function isBuilt(folder) {
  return entriesOf(folder) !== null && existsSync(join(folder, 'dist/index.js'))
}

function isFresh(folder) {
  const stamp = join(folder, FOLDER, 'index.js')
  if (!existsSync(stamp)) return false
  const at = statSync(stamp).mtimeMs
  return [own, join(folder, 'package.json'), join(folder, 'dist/.tsbuildinfo')].every(
    (path) => statSync(path).mtimeMs <= at,
  )
}

async function bundle(folder) {
  const { rolldown } = await import('rolldown')
  const out = join(folder, FOLDER)
  rmSync(out, { recursive: true, force: true })
  const build = await rolldown({
    input: entriesOf(folder),
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    // Verifiers run in browsers: the bundler adds nothing of Node.
    platform: 'neutral',
    // Modules that are imported for what they do stay.
    treeshake: false,
    plugins: [modules(out)],
  })
  await build.write({ dir: out, format: 'esm', keepNames: true, sourcemap: true, chunkFileNames: '[name]-[hash].js' })
  await build.close()
  const now = new Date()
  utimesSync(join(out, 'index.js'), now, now)
}

/** Built modules with the maps of their sources; files beside a module are looked for beside the module, not beside the bundle. */
function modules(out) {
  return {
    name: 'built-modules',
    load: (id) => {
      const text = readFileSync(id, 'utf8')
      const url = `new URL(${JSON.stringify(relative(out, id))}, import.meta.url).href`
      const map = existsSync(`${id}.map`) ? JSON.parse(readFileSync(`${id}.map`, 'utf8')) : null
      if (map !== null) map.sources = map.sources.map((source) => join(dirname(id), source))
      return { code: text.replaceAll('import.meta.url', url), map }
    },
  }
}
