// Writes the texts of the example of a foreign chain, tests/adapter/ledgerChain, into dist/exampleChain.json, from which
// `causeway create-adapter --family example` makes a package. Prints nothing, because npm pack runs this too.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../tests/adapter/ledgerChain', import.meta.url))
const dist = fileURLToPath(new URL('../dist', import.meta.url))

const files = readdirSync(join(source, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map(({ parentPath, name }) => join(parentPath, name))
const texts = [join(source, 'README.md'), ...files].map((path) => [
  relative(source, path).replaceAll('\\', '/'),
  readFileSync(path, 'utf8'),
])
mkdirSync(dist, { recursive: true })
writeFileSync(join(dist, 'exampleChain.json'), JSON.stringify(Object.fromEntries(texts.sort())))
