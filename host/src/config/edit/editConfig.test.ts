import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { editChainOptions } from './editConfig.js'

const write = (name: string, text: string): { readonly folder: string; readonly file: string } => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-edit-'))
  const file = join(folder, name)
  writeFileSync(file, text)
  return { folder, file }
}

it('options are written into JSON in place, and everything else stays as it is written', async () => {
  const text = '{\n  "network":   "testnet",\n  "chains": [{ "id": 7, "options": { "startBlock": 1 } }]\n}\n'
  const { file } = write('causeway.config.json', text)
  expect((await editChainOptions(file, 7, { startBlock: 1, depository: '0xAb' }))[0]).toMatch(/^Written into/)
  const changed = readFileSync(file, 'utf8')
  expect(changed).toContain('"network":   "testnet"')
  expect(JSON.parse(changed).chains[0].options).toEqual({ startBlock: 1, depository: '0xAb' })
  expect(await editChainOptions(file, 7, { depository: '0xaB' })).toEqual([])
})

it('what is written is indented as the file is, and the file ends as it did', async () => {
  const config = { network: 'testnet', chains: [{ id: 7, options: { startBlock: 1 } }] }
  for (const indent of ['\t', '    ']) {
    const { file } = write('causeway.config.json', `${JSON.stringify(config, null, indent)}\n`)
    await editChainOptions(file, 7, { depository: '0xAb' })
    const changed = readFileSync(file, 'utf8')
    expect(changed).toBe(`${JSON.stringify(JSON.parse(changed), null, indent)}\n`)
  }
  const { file } = write('causeway.config.ts', `export default ${JSON.stringify(config)}\n`)
  await editChainOptions(file, 7, { depository: '0xAb' })
  expect(readFileSync(file, 'utf8')).toMatch(/[^\n]\n$/)
})

it('options are written into a program with its comments kept', async () => {
  const text = `import { defineConfig } from '@causeway/host'\n\n// Mine.\nexport default defineConfig({\n  network: 'testnet',\n  chains: [{ id: 7, options: {} }] as never,\n})\n`
  const { file, folder } = write('causeway.config.ts', text.replace(' as never', ''))
  expect((await editChainOptions(file, 7, { depository: '0xAb' }))[0]).toMatch(/^Written into/)
  const changed = readFileSync(file, 'utf8')
  expect(changed).toContain('// Mine.')
  expect(changed).toMatch(/depository: ['"]0xAb['"]/)
  expect(readdirSync(folder)).toEqual(['causeway.config.ts'])
})

it('a program whose chains are computed is left as it is, and what to write is told', async () => {
  const text = `const made = [7, 8].map((id) => ({ id, options: {} }))\nexport default { network: 'testnet', chains: made }\n`
  const { file, folder } = write('causeway.config.ts', text)
  const lines = await editChainOptions(file, 8, { depository: '0xAb' })
  expect(lines).toEqual([
    'causeway.config.ts cannot be changed safely by a program. Write into it:',
    '  chains[1].options.depository: "0xAb"',
  ])
  expect(readFileSync(file, 'utf8')).toBe(text)
  expect(readdirSync(folder)).toEqual(['causeway.config.ts'])
})
