import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourcePool } from '../rpc/sourcePool.js'
import { poolOf } from '../rpc/testedPool.test.support.js'
import { type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { outpointText } from './coins/coin.js'
import { findFalseCoins } from './provenCoins.js'

let chain: LocalBitcoin
let pool: SourcePool

beforeAll(async () => {
  chain = await startLocalBitcoin()
  pool = poolOf(chain)
})

afterAll(async () => {
  pool?.close()
  await chain?.close()
})

test('a coin is what the bytes of its transaction say: value, script and place', async () => {
  const [user, other] = chain.accounts
  if (user === undefined || other === undefined) throw new Error('no accounts')
  const { txid, vout } = await chain.fund(user.addresses.p2wpkh, 70_000n)
  const coin = { txId: txid, index: vout, value: 70_000n, script: user.scripts.p2wpkh }
  const wrong = [
    { ...coin, value: 70_001n },
    { ...coin, script: other.scripts.p2wpkh },
    { ...coin, index: 99 },
    { ...coin, txId: 'ab'.repeat(32) },
  ]
  expect(await findFalseCoins([coin], pool)).toEqual(new Set())
  for (const item of wrong) expect(await findFalseCoins([item], pool)).toEqual(new Set([outpointText(item)]))
  await chain.failNext({ status: 500, times: 100 })
  await expect(findFalseCoins([coin], pool)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await chain.clearFaults()
})

test('a coin that a coinbase made is not one while it is young', async () => {
  const [coinbase] = chain.node.chain.tip.transactions
  const value = coinbase?.tx.outs[0]?.value
  if (coinbase === undefined || value === undefined) throw new Error('no coinbase')
  const coin = { txId: coinbase.txid, index: 0, value, script: chain.miner.scripts.p2wpkh }
  expect(await findFalseCoins([coin], pool, new Set([outpointText(coin)]))).toEqual(new Set([outpointText(coin)]))
  expect(await findFalseCoins([coin], pool)).toEqual(new Set())
})
