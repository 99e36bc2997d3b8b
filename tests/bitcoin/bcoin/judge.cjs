'use strict'

// Judges transactions by bcoin. In: [{ hex, coins: [{ txid, vout, value, script }] }], amounts as decimal text. Out, for each:
// what it says of its id, sizes and fee, why it is not sane (null: it is), and of each input why its scripts fail (null: they hold).
const { readFileSync } = require('node:fs')
const { Output, Script, TX } = require('bcoin')

const { STANDARD_VERIFY_FLAGS } = Script.flags

const judgeInput = (tx, at, coins) => {
  const { hash, index } = tx.inputs[at].prevout
  const txid = Buffer.from(hash, 'hex').reverse().toString('hex')
  const coin = coins.find((one) => one.txid === txid && one.vout === index)
  if (coin === undefined) return { value: Number.NaN, failure: 'the coin is not given' }
  const value = Number(coin.value)
  try {
    tx.checkInput(at, new Output({ value, script: Buffer.from(coin.script, 'hex') }), STANDARD_VERIFY_FLAGS)
    return { value, failure: null }
  } catch (error) {
    if (error.type !== 'ScriptError') throw error
    return { value, failure: error.code }
  }
}

const judge = ({ hex, coins }) => {
  const tx = TX.fromRaw(hex, 'hex')
  const [sane, reason] = tx.checkSanity()
  const inputs = tx.inputs.map((_, at) => judgeInput(tx, at, coins))
  return {
    txid: tx.txid(),
    weight: tx.getWeight(),
    vsize: tx.getVirtualSize(),
    fee: inputs.reduce((sum, { value }) => sum + value, 0) - tx.getOutputValue(),
    insane: sane ? null : reason,
    failures: inputs.map(({ failure }) => failure),
  }
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, 'utf8')).map(judge)))
