import { CallError } from '@causeway/core/testing'
import { toHex } from '../chain/regtest.js'
import { addressOf, scriptOf } from '../chain/scriptForms.js'
import { btc } from './coreJson.js'
import { sameBytes, type View } from './view.js'

/** Confirmed coins that `scantxoutset start` finds for descriptors `addr(...)` and `raw(...)`. @throws CallError -5 */
export const scanCoins = (view: View, descriptors: readonly unknown[]) => {
  const unspents = descriptors.map(scriptOfDescriptor).flatMap((script) => coinsOf(view, script))
  const total = unspents.reduce((sum, { amount }) => sum + amount.satoshis, 0n)
  return {
    success: true,
    txouts: view.node.chain.coins.size,
    height: view.height,
    bestblock: view.tip.hash,
    unspents,
    total_amount: btc(total),
  }
}

const coinsOf = (view: View, script: Uint8Array) =>
  view.minedOf(script).flatMap(({ entry, block }) =>
    entry.tx.outs.flatMap((output, vout) => {
      const { txid, tx } = entry
      const spentInBlock = (view.spenderOf(txid, vout)?.viewed.block ?? null) !== null
      if (block === null || spentInBlock || !sameBytes(output.script, script)) return []
      const address = addressOf(script)
      return [
        {
          txid,
          vout,
          scriptPubKey: toHex(script),
          desc: address === null ? `raw(${toHex(script)})` : `addr(${address})`,
          amount: btc(output.value),
          coinbase: tx.isCoinbase(),
          height: block.height,
          blockhash: block.hash,
          confirmations: view.confirmationsOf(block),
        },
      ]
    }),
  )

const scriptOfDescriptor = (item: unknown): Uint8Array => {
  const text = typeof item === 'object' && item !== null && 'desc' in item ? item.desc : item
  const [, kind, inner = ''] = /^(addr|raw)\(([^)]*)\)(?:#[a-z0-9]{8})?$/.exec(String(text)) ?? []
  if (kind === undefined) throw new CallError(-5, `'${String(text)}' is not a valid descriptor function`)
  if (kind === 'raw') return Buffer.from(inner, 'hex')
  try {
    return scriptOf(inner)
  } catch {
    throw new CallError(-5, 'Address is not valid')
  }
}
