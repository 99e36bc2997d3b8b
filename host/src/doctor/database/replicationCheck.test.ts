import { expect, it } from 'vitest'
import { judgeReplication, type ReplicationFacts } from './replicationCheck.js'

const alone: ReplicationFacts = { recovery: false, commit: 'on', names: '', standbys: [] }

it.each<[string, Partial<ReplicationFacts>, string, RegExp]>([
  ['a server alone', {}, 'ok', /no standby/],
  ['a standby', { recovery: true }, 'fault', /is a standby/],
  [
    'standbys that nothing waits for',
    { standbys: ['async', 'async'] },
    'warning',
    /2 standbys are asynchronous.*forgets/,
  ],
  ['an asynchronous one that its user cannot look at', { standbys: [null] }, 'warning', /1 standby is asynchronous/],
  ['a synchronous one', { names: '*', standbys: ['sync'] }, 'ok', /1 standby is synchronous/],
  ['a quorum', { names: 'ANY 1 (*)', standbys: ['quorum', 'quorum'] }, 'ok', /2 standbys are synchronous/],
  ['both kinds', { names: 'a', standbys: ['sync', 'async'] }, 'warning', /1 standby is asynchronous beside 1/],
  ['a potential one beside it', { names: 'a, b', standbys: ['sync', 'potential'] }, 'warning', /asynchronous beside 1/],
  ['commits that wait for nobody', { commit: 'local', names: '*', standbys: ['sync'] }, 'warning', /is local/],
  [
    'commits that wait for no disk',
    { commit: 'remote_write', names: '*', standbys: ['sync'] },
    'warning',
    /remote_write/,
  ],
  ['a synchronous one that is gone', { names: '*' }, 'fault', /every commit waits/],
  ['states that may not be seen', { names: '*', standbys: [null] }, 'warning', /may not be seen/],
])('F121: %s', (_, facts, state, message) => {
  const found = judgeReplication({ ...alone, ...facts })
  expect(found).toMatchObject({ state, message: expect.stringMatching(message) })
  expect(found.remedy === undefined).toBe(state === 'ok')
})
