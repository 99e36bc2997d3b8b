import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listKeystore } from '@causeway/core/host'
import { runDoctor } from '@causeway/host'
import { expect, it } from 'vitest'
import { loadConfig } from '../../host/dist/config/loadConfig.js'
import { addCurrency } from '../../host/dist/init/addToConfig.js'
import { deployment, tokens, useInit } from './initWorld.js'

useInit()

it('init writes a configuration that loads from any folder, and after a deploy the doctor finds nothing but missing money', async () => {
  const { folder, file, environment, lines, text, deps } = deployment
  expect(text).toContain('env:HARBOR_RPC')
  for (const name of ['causeway.config.ts', 'keys.json', 'deployer.json'])
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  // Whoever does not hold the payout keys knows their addresses.
  const held = listKeystore(join(folder, 'keys.json'))
  const payers = deps.loaded.config.chains.map(
    ({ slug }) => held.find(({ name }) => name === `payout-${slug}`)?.address,
  )
  expect(deps.loaded.config.chains.map(({ solver }) => solver)).toEqual(payers)
  // Each chain has a key of its own that sends permits and calls for users.
  const senders = deps.loaded.config.chains.map(({ id, slug }) => {
    expect(deps.loaded.config.keys.origin[id]).toEqual({ keystore: `origin-${slug}` })
    return held.find(({ name }) => name === `origin-${slug}`)?.address
  })
  expect(new Set([...senders, ...payers]).size).toBe(2 * senders.length)
  expect(deps.loaded.config.chains.map(({ originSender }) => originSender)).toEqual(senders)
  const findings = await runDoctor({ configPath: file, timeoutMs: 5_000, environment })
  const faults = findings.filter(({ state }) => state === 'fault')
  expect(findings.filter(({ check }) => check === 'origin key').map(({ state }) => state)).toEqual(['ok', 'ok'])
  // The server of the tests does not flush, which init told, and may not be migrated yet.
  expect(lines.join('\n')).toContain('Before real money: database durability')
  const known = ['wallet', 'database durability', 'migrations']
  expect(faults.filter(({ check }) => !known.includes(check))).toEqual([])
  // Of each chain: depository, fill router, factory and what its addresses are swept into, and what is signed for.
  expect(findings.filter(({ check, state }) => check === 'contract' && state === 'ok').length).toBe(10)
  expect(lines.join('\n')).toContain('causeway contracts deploy')

  // Currencies are added to a program of one's own, its comments kept.
  await addCurrency('lagoon', tokens[1] ?? '', undefined, { ...deps })
  const changed = readFileSync(file, 'utf8')
  expect(changed).toContain('// Keys lie sealed in keys.json')
  const { config } = await loadConfig(file, { environment })
  expect(config.chains[1]?.currencies.map(({ symbol, decimals }) => [symbol, decimals])).toEqual([
    ['ETH', 18],
    ['USDC', 6],
  ])
  await expect(addCurrency('lagoon', `0x${'1'.repeat(40)}`, undefined, deps)).rejects.toThrow('There is no token at')
})
