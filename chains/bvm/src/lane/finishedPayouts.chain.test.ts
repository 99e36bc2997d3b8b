import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SourcePool } from '../rpc/sourcePool.js'
import { poolOf } from '../rpc/testedPool.test.support.js'
import { type LocalBitcoin, startLocalBitcoin } from '../testing/index.js'
import { FinishedPayouts } from './finishedPayouts.js'

let chain: LocalBitcoin
let pool: SourcePool

beforeAll(async () => {
  chain = await startLocalBitcoin()
  pool = poolOf(chain)
})

afterAll(async () => {
  pool.close()
  await chain.close()
})

test('old payouts are looked at in turn: those that are never finished do not keep the others from it', async () => {
  const [holder, other] = chain.accounts
  if (holder === undefined || other === undefined) throw new Error('no accounts')
  const outputs = Array.from({ length: 46 }, () => ({ to: holder.addresses.p2wpkh, value: 10_000n }))
  const txid = await chain.pay(chain.miner, outputs, { form: 'p2wpkh' })
  await chain.mine()
  const coins = [44, 45].map((vout) => ({ txid, vout, value: 10_000n, form: 'p2wpkh' as const }))
  await chain.pay(holder, [{ to: other.addresses.p2wpkh, value: 15_000n }], { coins, change: null, fee: 5000n })
  await chain.mine()
  const payouts = Array.from({ length: 45 }, (_, at) => ({ txId: `${at}`, coins: [`${txid}:${at}`], height: 0n }))
  const finished = new FinishedPayouts({ pool, settle: 0n })
  const all = [...payouts, { txId: 'both', coins: [`${txid}:44`, `${txid}:45`], height: 0n }]
  const half = { txId: 'half', coins: [`${txid}:44`, `${txid}:0`], height: 0n }
  let tip = 2000n
  const check = () => {
    finished.check({ begin: 0n, payouts: [...all, half] }, tip++)
    return [...finished.txIds].sort()
  }
  await expect.poll(check).toEqual(['44', 'both'])
  for (let round = 0; round < 5; round++) expect(check()).not.toContain('half')
})
