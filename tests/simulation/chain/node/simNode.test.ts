import { systemClock } from '@causeway/core'
import { orderIdOf } from '@causeway/core/chain-kit'
import { pino } from 'pino'
import { describe, expect, it, test } from 'vitest'
import { seeded } from '../../kernel/random.js'
import { createSimChain } from '../simChain.js'
import { SimLedger } from '../simLedger.js'
import { SimUser } from '../simUser.js'
import { UNFIT_DEPOSITS, unfitDeposit } from '../unfitDeposit.js'
import { directTransport } from './directTransport.js'
import type { NodeTrouble } from './nodeTrouble.js'
import type { SimNode } from './simNode.js'
import { simTransport } from './simTransport.js'

const ORDER = `0x${'ab'.repeat(32)}` as const
const AMOUNT = 50n

/** A ledger with a deposit in its first block, and five blocks more. */
const scene = () => {
  const now = () => 1_700_000_000_000
  const ledger = new SimLedger({ chainId: 9, slug: 'sim', kind: 'reorging', settle: 4, now, random: seeded('nodes') })
  const user = new SimUser('ann')
  for (const currency of [ledger.coin, ledger.token]) ledger.fund(user.address, currency, 1_000_000n)
  const id = ledger.submit(deposit(ledger, user))
  for (let count = 0; count < 6; count += 1) ledger.mine()
  const [node, ...others] = ledger.nodes
  if (node === undefined) throw new Error('The ledger has no node.')
  return { ledger, user, id, node, others }
}

const deposit = (ledger: SimLedger, user: SimUser, amount = AMOUNT): string =>
  user.deposit(ledger, { money: { currency: ledger.token, amount }, memo: ORDER }).raw

/** The result of one call, or the message of its error. */
const ask = (node: SimNode, method: string, ...params: readonly unknown[]) => {
  const { text } = node.answer(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  const { result, error } = JSON.parse(text)
  return error === undefined ? result : error.message
}

const fateOf = (node: SimNode, method: string): string =>
  node.answer(JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params: ['0x00'] }])).fate

describe('a node', () => {
  it('that lags shows older blocks, and what newer ones hold as waiting', () => {
    const { ledger, user, node, id } = scene()
    node.trouble = { kind: 'lags', blocks: 6 }
    expect([ask(node, 'ledger_head').height, ask(node, 'ledger_record', id).status]).toEqual([0, 'pending'])
    expect(ask(node, 'ledger_balance', ledger.depository, ledger.token)).toBe('0')
    node.trouble = { kind: 'none' }
    expect([ask(node, 'ledger_head').height, ask(node, 'ledger_record', id).status]).toEqual([6, 'success'])
    expect(ask(node, 'ledger_records', user.address, 0, 6).length).toBe(1)
  })

  it('that stands shows blocks that left since', () => {
    const { ledger, node } = scene()
    node.trouble = { kind: 'stands' }
    const { hash } = ledger.head
    ledger.reorg(2, 'lost')
    ledger.mine()
    expect(ask(node, 'ledger_head')).toMatchObject({ height: 6, hash })
    expect(ask(node, 'ledger_fee')).toBe(ledger.fee.toString())
  })

  it('answers nothing, or loses its answers, or takes its time', () => {
    const { node, ledger, user } = scene()
    const fates = (trouble: NodeTrouble): readonly string[] => {
      node.trouble = trouble
      return ['ledger_head', 'ledger_submit'].map((method) => fateOf(node, method))
    }
    expect(fates({ kind: 'silent' })).toEqual(['silent', 'silent'])
    expect(fates({ kind: 'refuses' })).toEqual(['refused', 'refused'])
    expect(fates({ kind: 'loses', what: 'reads' })).toEqual(['lost', 'answered'])
    expect(fates({ kind: 'loses', what: 'submits' })).toEqual(['answered', 'lost'])
    ask(node, 'ledger_submit', deposit(ledger, user))
    expect(ledger.pending().length).toBe(1)
    node.trouble = { kind: 'slow', mostMs: 60_000 }
    const delays = Array.from({ length: 20 }, () => node.answer('[]').delayMs)
    expect(Math.max(...delays)).toBeGreaterThan(10_000)
  })

  it('takes what is sent and says that it did not, or the other way round', () => {
    const { node, others, ledger, user } = scene()
    node.trouble = { kind: 'errs', message: 'NO_FEE' }
    expect(ask(node, 'ledger_submit', deposit(ledger, user))).toBe('NO_FEE')
    expect(ledger.pending().length).toBe(1)
    node.trouble = { kind: 'forgets' }
    const forgotten = ask(node, 'ledger_submit', deposit(ledger, user))
    expect([ask(node, 'ledger_record', forgotten), ledger.pending().length]).toEqual([null, 1])
    node.trouble = { kind: 'keeps', late: true }
    const kept = ask(node, 'ledger_submit', deposit(ledger, user))
    expect([node, ...others].map((each) => ask(each, 'ledger_record', kept)?.status)).toEqual([
      'pending',
      undefined,
      undefined,
    ])
    node.trouble = { kind: 'none' }
    expect(ledger.pending().length).toBe(2)
  })

  it('lies about deposits, amounts, heights, and blocks', () => {
    const { node, ledger, user, id } = scene()
    const waiting = ledger.submit(deposit(ledger, user))
    const invented = { from: user.address, currency: ledger.token, amount: 7n, memo: ORDER }
    node.trouble = { kind: 'invents-deposit', deposit: invented }
    expect(ask(node, 'ledger_records', ledger.depository, 0, 99).length).toBe(1)
    ledger.held = true
    ledger.mine()
    const [, lie] = ask(node, 'ledger_records', ledger.depository, 0, 99)
    expect(lie).toMatchObject({ status: 'success', block: { height: 7 }, transfer: { amount: '7' } })
    expect(ask(node, 'ledger_record', lie.id)).toEqual(lie)
    node.trouble = { kind: 'hides', of: [id] }
    expect([ask(node, 'ledger_record', id), ask(node, 'ledger_record', waiting).status]).toEqual([null, 'pending'])
    node.trouble = { kind: 'alters-amounts', by: 5n }
    expect(ask(node, 'ledger_record', id).transfer.amount).toBe('55')
    node.trouble = { kind: 'invents-fate', status: 'success' }
    expect(ask(node, 'ledger_record', waiting)).toMatchObject({ status: 'success', block: { height: 7 } })
    node.trouble = { kind: 'invents-height', ahead: 100 }
    expect([ask(node, 'ledger_head').height, ask(node, 'ledger_block', 107).height]).toEqual([107, 107])
    node.trouble = { kind: 'fork', since: 0 }
    expect(ask(node, 'ledger_record', id)).toBeNull()
    expect(ask(node, 'ledger_block', 3).hash).not.toBe(ledger.branch.block(3)?.hash)
    expect(ask(node, 'ledger_block', 0).hash).toBe(ledger.branch.block(0)?.hash)
    expect(ledger.nodes.map(({ lies }) => lies)).toEqual([true, false, false])
  })
})

describe('the adapter', () => {
  const adapterOf = (ledger: SimLedger) =>
    createSimChain(ledger, { clock: systemClock, logger: pino({ level: 'silent' }) }, directTransport(ledger)).adapter

  it('believes one node of a deposit only where one is enough', async () => {
    const { ledger, user, node, id } = scene()
    const { confirmDeposit } = adapterOf(ledger)
    const money = { currency: ledger.token, amount: AMOUNT }
    const told = { position: 0, money, orderId: ORDER }
    expect(await confirmDeposit({ tx: { id }, ...told }, { agreeing: 2 })).toBe(true)
    node.trouble = { kind: 'invents-deposit', deposit: { from: user.address, ...money, memo: ORDER } }
    ledger.mine()
    const [, lie] = ask(node, 'ledger_records', ledger.depository, 0, 99)
    const invented = { tx: { id: String(lie.id) }, ...told }
    expect(await confirmDeposit(invented, { agreeing: 1 })).toBe(true)
    expect(await confirmDeposit(invented, { agreeing: 2 })).toBe(false)
  })

  it('simulates a withdrawal as money of the depository whose fee the solver pays', async () => {
    const { ledger } = scene()
    const adapter = adapterOf(ledger)
    const { address } = ledger.keys.payer
    const money = { currency: ledger.coin, amount: 100n }
    const payout = { from: address, to: { address }, money, orderId: ORDER, calls: [] }
    ledger.fund(ledger.depository, ledger.coin, 100n)
    const kinds = async () => {
      const said = [
        await adapter.simulate({ ...payout, purpose: 'withdraw' }),
        await adapter.simulate({ ...payout, purpose: 'fill' }),
      ]
      return said.map((simulation) => simulation.ok || simulation.kind)
    }
    expect(await kinds()).toEqual(['insufficient-funds', 'insufficient-funds'])
    ledger.fund(address, ledger.coin, ledger.fee)
    expect(await kinds()).toEqual([true, 'insufficient-funds'])
  })

  it('reads what the chain asks for now', async () => {
    const { ledger, user } = scene()
    const adapter = adapterOf(ledger)
    const payout = { from: user.address, to: { address: ledger.keys.payer.address } }
    ledger.fee *= 3n
    const money = { currency: ledger.token, amount: 1n }
    const fee = await adapter.estimatePayoutFee({ ...payout, money, purpose: 'fill', orderId: ORDER, calls: [] })
    expect(fee.network).toEqual({ currency: ledger.coin, amount: ledger.fee })
  })
})

test('a request over the transport ends with its time limit, its signal, or the transport', async () => {
  const { ledger, node } = scene()
  const open = simTransport(ledger)
  const body = {
    text: '{"jsonrpc":"2.0","id":1,"method":"ledger_head","params":[]}',
    type: 'application/json',
  } as const
  const request = { body, repeatable: true }
  const transport = open({ url: node.url, timeoutMs: 50 })
  expect(JSON.parse((await transport.send(request)).body.toString()).result.height).toBe(6)
  node.trouble = { kind: 'silent' }
  await expect(transport.send(request)).rejects.toMatchObject({ code: 'REQUEST_TIMED_OUT' })
  const patient = open({ url: node.url, timeoutMs: 1_000_000 })
  const aborted = patient.send({ ...request, signal: AbortSignal.abort() })
  await expect(aborted).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  const closed = patient.send(request)
  patient.close()
  await expect(closed).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
  node.trouble = { kind: 'refuses' }
  await expect(transport.send(request)).rejects.toMatchObject({ code: 'RPC_HTTP_ERROR' })
})

test('unfit deposits are all the ledger takes, and none is what was asked for', () => {
  const { ledger, user } = scene()
  ledger.fund(user.address, ledger.strangeToken, 1_000n)
  const money = { currency: ledger.token, amount: AMOUNT }
  const random = seeded('unfit')
  const made = UNFIT_DEPOSITS.map((kind) => unfitDeposit(kind, { money, orderId: ORDER }, ledger, random))
  for (const payment of made) ledger.submit(user.deposit(ledger, payment).raw)
  ledger.mine()
  expect(ledger.records().filter(({ status }) => status === 'success').length).toBe(UNFIT_DEPOSITS.length + 1)
  const fit = made.filter(({ money: { currency, amount }, memo, to }) => {
    return currency === ledger.token && amount === AMOUNT && orderIdOf(memo) === ORDER && to === undefined
  })
  expect(fit).toEqual([])
})
