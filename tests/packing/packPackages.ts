import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { PACKED_NAME, packInto } from './packedWorkspace.js'

/** Ends the program with what to do. */
const refuse = (message: string): never => {
  console.error(message)
  process.exit(2)
}

const [folder = refuse('Name a folder: npm run packages -- ../workbench')] = process.argv.slice(2)
const into = resolve(folder)
const manifest = join(into, 'package.json')
if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name !== PACKED_NAME)
  refuse(`${manifest} is of another package. Name a new folder.`)
const tarballs = await packInto(into)
console.log(`Packed ${tarballs.length} packages into ${into}. What now:`)
for (const line of [
  `cd ${into}`,
  'npm install',
  'npx causeway create-adapter causeway-chain-acme --family example --packages .',
])
  console.log(`  ${line}`)
