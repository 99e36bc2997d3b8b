import { expect } from 'vitest'
import type { ReceivedCall } from './receiver.js'

/** What a receiver was told of. */
export interface ToldEvent {
  readonly request: string
  readonly status: string
  readonly id: string
  readonly body: string
}

export const toldBy = (calls: readonly ReceivedCall[]): readonly ToldEvent[] =>
  calls.map(({ body, headers }) => {
    const { data } = JSON.parse(body)
    return { request: data.requestId, status: data.status, id: String(headers['x-event-id']), body }
  })

/** Every event arrived; first sights are in the order of the request; repeats are the same event and bytes. */
export const expectAllTold = (
  requests: readonly string[],
  statuses: readonly string[],
  told: readonly ToldEvent[],
): void => {
  for (const request of requests) {
    const own = told.filter((item) => item.request === request)
    const first = own.filter((item, at) => own.findIndex(({ id }) => id === item.id) === at)
    expect(first.map(({ status }) => status)).toEqual([...statuses])
    for (const { id, body } of own) expect(first.find((item) => item.id === id)?.body).toBe(body)
  }
}
