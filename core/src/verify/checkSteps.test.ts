import { expect, it } from 'vitest'
import { readSteps } from './checkSteps.js'
import { Findings } from './findings.js'

const ID = `0x${'1d'.repeat(32)}`
const WATCH = { endpoint: `/intents/status?requestId=${ID}`, method: 'GET' }

const transaction = { id: 'approve', kind: 'transaction', requestId: ID, items: [{ status: 'incomplete', data: {} }] }

const post = { endpoint: '/execute/permits', method: 'POST', body: { kind: 'eip3009', requestId: ID, api: 'swap' } }
const signature = (changes: Readonly<Record<string, unknown>> = {}) => ({
  id: 'authorize1',
  kind: 'signature',
  requestId: ID,
  items: [{ status: 'incomplete', data: { sign: { any: 'thing' }, post: { ...post, ...changes } }, check: WATCH }],
})

const read = (steps: readonly unknown[]) => {
  const findings = new Findings()
  const result = findings.attempt(() => readSteps({ requestId: ID, steps }, findings))
  return { problems: findings.problems, result }
}

it('a signature comes last, behind transactions, and goes to this service for this request (wire.md A.4)', () => {
  expect(read([transaction, signature()])).toEqual({
    problems: [],
    result: {
      transactions: [{ id: 'approve', depositAddress: '', data: {} }],
      signature: { id: 'authorize1', kind: 'eip3009', sign: { any: 'thing' } },
    },
  })
  expect(read([transaction]).result).toMatchObject({ signature: null, transactions: [{ id: 'approve' }] })
})

it('a signature that goes elsewhere, for another request, or is not the last is a problem', () => {
  const body = { ...post.body, requestId: `0x${'2e'.repeat(32)}` }
  const wrong = [
    [signature({ endpoint: 'https://elsewhere.example/execute/permits' })],
    [signature({ endpoint: '/execute' })],
    [signature({ method: 'GET' })],
    [signature({ body })],
    [signature({ body: { requestId: ID } })],
    [signature(), transaction],
    [signature(), signature()],
  ]
  for (const steps of wrong) expect(read(steps).problems).not.toEqual([])
})

it('a signature that names the order of a transaction comes before it, and nowhere else (wire.md 2.8)', () => {
  const mapping = { ...signature({ endpoint: '/authorize' }), id: 'authorize' }
  const { problems, result } = read([mapping, transaction])
  expect(problems).toEqual([])
  expect(result).toMatchObject({ signature: null, transactions: [{ id: 'authorize' }, { id: 'approve' }] })
  for (const steps of [[transaction, mapping], [{ ...mapping, kind: 'transaction' }, transaction], [mapping]])
    expect(read(steps).problems).not.toEqual([])
})
