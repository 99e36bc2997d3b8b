import { due } from '../text/timeText.js'
import type { AddressHistory, AddressRow, PlaceRow, SweepRow } from './addressRows.js'

/** What an address and the money at it wait for, in plain words, one sentence each; what comes first is told first. */
export const waitingFor = (row: AddressRow, history: AddressHistory, now: number): string[] => {
  const places = row.places.flatMap((place) => ofPlace(place, history, now))
  const requests = history.requests.flatMap(({ id, status, action }) => ofRequest(id, status, action))
  if (places.length + requests.length > 0) return [...places, ...requests]
  return row.type === 'strict' && history.requests.length > 0 ? [] : ['a payment to it']
}

const ofPlace = (place: PlaceRow, { arrivals, sweeps }: AddressHistory, now: number): string[] => {
  const here = arrivals.filter(({ chain_id }) => chain_id === place.chain_id)
  const seen = here.filter(({ state }) => state === 'seen')
  const mempool = seen.map(({ tx_id }) => `a block on chain ${place.chain_id} with the payment ${tx_id}`)
  const sweep = sweeps.find(
    ({ chain_id, state }) => chain_id === place.chain_id && state !== 'dead' && state !== 'final',
  )
  const waits = here.some(({ state, taken_by }) => state === 'included' && taken_by === null)
  if (sweep !== undefined) return [...mempool, ofSweep(sweep, waits)].filter((text) => text !== '')
  const lies = waits || place.books.some(({ held }) => held !== '0') || Object.keys(place.found ?? {}).length > 0
  if (!lies && !place.forced) return mempool
  const where = `its sweep on chain ${place.chain_id}`
  const look = `the next look is ${due(place.next_look_at, now)}`
  if (place.trouble !== null) return [...mempool, `${where}, which is not made: ${place.trouble} (${look})`]
  const vain = place.expected && place.looks > 0 ? `, nothing was found there ${place.looks} times` : ''
  return [...mempool, `${where}: ${look}${vain}`]
}

/** Where a sweep stands. */
const ofSweep = (sweep: SweepRow, waits: boolean): string => {
  const name = `its sweep, payout ${sweep.id}`
  const trouble = sweep.trouble === null ? '' : `, put off: ${sweep.trouble}`
  if (sweep.state === 'ready') return `${name}, to be signed${trouble}`
  if (sweep.state !== 'signed') {
    return waits ? `the deposit of ${name}, which is in block ${sweep.height ?? '?'}, to be read` : ''
  }
  const last = sweep.attempts.at(-1)
  return last === undefined || last.state === 'stored'
    ? `${name}, to be sent${trouble}`
    : `${name}, to be in a block: ${last.tx_id}${trouble}`
}

const ofRequest = (id: string, status: string, action: string | null): string[] => {
  if (status === 'success' || status === 'failure' || status === 'refund') return []
  if (action === 'requote') return [`an order of its own for what came, request ${id}`]
  return action === 'decide' ? [`the decision about request ${id}`] : []
}
