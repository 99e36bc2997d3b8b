import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { packAll, publishedPackages } from './packages.js'
import { manifestOf } from './packedWorkspace.js'

const NAME = 'causeway-packages'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Name a folder: npm run packages -- ../causeway-packages')
  process.exit(2)
}
const into = resolve(folder)
const manifest = join(into, 'package.json')
if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name !== NAME) {
  console.error(`${manifest} is of another package. Name a new folder.`)
  process.exit(2)
}
const tarballs = await packAll(publishedPackages(), into)
writeFileSync(
  manifest,
  manifestOf(
    NAME,
    tarballs.map(({ path, ...packed }) => ({ ...packed, path: `./${basename(path)}` })),
  ),
)
console.log(`Packed ${tarballs.length} packages into ${into}. What now:`)
for (const line of [`cd ${into}`, 'npm install', 'npx causeway create-adapter causeway-chain-acme --packages .'])
  console.log(`  ${line}`)
