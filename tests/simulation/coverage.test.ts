import { FAILPOINTS } from '@causeway/core/plugin'
import { expect, it } from 'vitest'
import { Coverage } from './coverage.js'

const open = () => new Coverage({ faults: ['liar', 'silence'], actions: ['deposit', 'reorg'] })

it('counts what a run went through, from move to move', () => {
  const coverage = open()
  coverage.countStatuses([
    { request: 'a', status: 'pending' },
    { request: 'b', status: 'pending' },
    { request: 'a', status: 'submitted' },
    { request: 'b', status: 'waiting' },
    { request: 'a', status: 'success' },
  ])
  coverage.countPayouts([
    { purpose: 'fill', from: null, to: 'ready' },
    { purpose: 'fill', from: 'ready', to: 'signed' },
  ])
  expect(coverage.toJSON()).toEqual({
    status: { 'waiting -> pending': 2, 'pending -> submitted': 1, 'pending -> waiting': 1, 'submitted -> success': 1 },
    payout: { 'fill: none -> ready': 1, 'fill: ready -> signed': 1 },
    failpoint: {},
    fault: {},
    action: {},
  })
  expect(coverage.unknown('status')).toEqual([])
  expect(coverage.missing('status')).toContain('pending -> refund')
  expect(coverage.missing('status')).not.toContain('depositing -> refund')
})

it('adds up what several processes counted', () => {
  const [one, other] = [open(), open()]
  one.count('fault', 'liar')
  other.count('fault', 'liar', 2)
  other.count('failpoint', 'decide.commit.after')
  one.merge(JSON.parse(JSON.stringify(other)))
  expect(one.toJSON()).toMatchObject({ fault: { liar: 3 }, failpoint: { 'decide.commit.after': 1 } })
  expect(one.missing('failpoint')).toHaveLength(FAILPOINTS.length - 1)
})

it('shows each count, what was never visited, and what nothing allows', () => {
  const coverage = open()
  coverage.count('action', 'deposit', 12)
  coverage.countPayouts([{ purpose: 'refund', from: 'final', to: 'ready' }])
  const picture = coverage.picture()
  expect(picture).toContain('actions: 1 of 2\n  deposit         12\n  never: reorg')
  expect(picture).toContain('refund: final -> ready          1  not in the list')
  expect(picture).toContain('faults: 0 of 2\n  never: liar, silence')
})
