import { readFileSync } from 'node:fs'
import { runTolkCompiler } from '@ton/tolk-js'
import { expect, it } from 'vitest'

const sourceOf = (name: string): string => readFileSync(new URL(`contracts/${name}`, import.meta.url), 'utf8')

const compiled = async (entrypointFileName: string): Promise<string> => {
  const result = await runTolkCompiler({ entrypointFileName, fsReadCallback: sourceOf })
  if (result.status === 'error') throw new Error(result.message)
  return result.codeBoc64
}

const constant = (name: string, code: string): string => `export const ${name} =\n  '${code}'\n`

it('the code of the contracts is that of their sources; vitest -u compiles it', async () => {
  const header = '/** Code of `contracts`, as the pinned Tolk compiler makes it. */\n'
  const [wallet, minter, hostile] = [
    await compiled('wallet.tolk'),
    await compiled('minter.tolk'),
    await compiled('hostile.tolk'),
  ]
  const file = `${header}${constant('WALLET_CODE', wallet)}\n${constant('MINTER_CODE', minter)}\n${constant('HOSTILE_CODE', hostile)}`
  await expect(file).toMatchFileSnapshot('jettonCode.ts')
})
