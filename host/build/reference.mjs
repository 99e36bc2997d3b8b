// Copies the library of the documentation page into dist/reference: as text, compressed, and with its licences. Prints
// nothing, because npm pack runs this too and writes JSON to the same stream.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const require = createRequire(import.meta.url)
const library = dirname(require.resolve('redoc/package.json'))
const bundles = join(library, 'bundles')
const { version } = require('redoc/package.json')

/** The logo of the library's authors. Every reader's browser would fetch it from their server. */
const LOGO = 'https://cdn.redoc.ly/redoc/logo-mini.svg'
const NO_LOGO = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E"

/** Bundled packages that are not installed here, with the licence that their package.json states. */
const NOT_INSTALLED = {
  '@emotion/stylis': 'MIT',
  '@emotion/unitless': 'MIT',
  '@redocly/workerize-loader': 'MIT',
  'css-loader': 'MIT',
  'hoist-non-react-statics': 'BSD-3-Clause',
  'lodash.noop': 'MIT',
  shallowequal: 'MIT',
  'style-loader': 'MIT',
  unfetch: 'MIT',
}

const folder = fileURLToPath(new URL('../dist/reference', import.meta.url))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const text = bundleText()
writeFileSync(join(folder, `redoc-${version}.js`), text)
writeFileSync(join(folder, `redoc-${version}.js.gz`), gzipSync(text, { level: 9 }))
writeFileSync(join(folder, 'LICENSES.txt'), licenceTexts())

function bundleText() {
  const original = readFileSync(join(bundles, 'redoc.standalone.js'), 'utf8')
  if (!original.includes(`"${LOGO}"`)) {
    throw new Error(
      `redoc ${version} has no logo at ${LOGO}. Check which addresses its bundle loads, then change LOGO.`,
    )
  }
  return original
    .replaceAll(`"${LOGO}"`, JSON.stringify(NO_LOGO))
    .replace('redoc.standalone.js.LICENSE.txt', 'LICENSES.txt')
}

function licenceTexts() {
  const notices = readFileSync(join(bundles, 'redoc.standalone.js.LICENSE.txt'), 'utf8')
  return [
    `The script in this folder is the standalone bundle of redoc ${version}. It contains these packages.`,
    `== redoc ${version}: MIT\n\n${licenceFile(library)}`,
    ...bundledPackages().map(licenceOf),
    `== notices in the sources\n\n${notices}`,
  ].join('\n\n')
}

/** The names in the source map of the bundle. */
function bundledPackages() {
  const { sources } = JSON.parse(readFileSync(join(bundles, 'redoc.standalone.js.map'), 'utf8'))
  const names = sources.flatMap((path) => path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1] ?? [])
  return [...new Set(names)].sort()
}

function licenceOf(name) {
  const installed = require.resolve
    .paths(name)
    .flatMap((path) =>
      [library, join(path, '@redocly', 'openapi-core')]
        .map((user) => join(user, 'node_modules', name))
        .concat(join(path, name)),
    )
    .find((path) => existsSync(join(path, 'package.json')))
  if (installed === undefined) {
    const licence = NOT_INSTALLED[name]
    if (licence === undefined) throw new Error(`redoc ${version} bundles ${name}. Add its licence to NOT_INSTALLED.`)
    return `== ${name}: ${licence}`
  }
  const { license = 'see below' } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  return `== ${name}: ${license}\n\n${licenceFile(installed)}`
}

function licenceFile(path) {
  const name = readdirSync(path).find((file) => /^licen[cs]e(\.|-|$)/i.test(file))
  return name === undefined ? 'No licence text in the package.' : readFileSync(join(path, name), 'utf8').trim()
}
