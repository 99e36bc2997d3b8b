import { useEffect, useRef, useSyncExternalStore } from 'react'

/** What the websocket tells of a request (wire.md 5.1). */
export interface StatusEvent {
  readonly requestId: string
  readonly status: string
  readonly updatedAt: number
  readonly inTxHashes?: readonly string[]
  readonly txHashes?: readonly string[]
}

/** `live`: changes are pushed; `polling`: the page asks by itself meanwhile. */
export type LiveState = 'live' | 'polling'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 15_000

/** One websocket for the whole page. It is open while somebody follows a request, and comes back when it breaks. */
class StatusFeed {
  #socket: WebSocket | null = null
  #pause = FIRST_PAUSE_MS
  #retry: ReturnType<typeof setTimeout> | undefined
  readonly #followers = new Map<string, Set<(event: StatusEvent) => void>>()
  readonly #watchers = new Set<() => void>()
  state: LiveState = 'polling'

  follow(requestId: string, follower: (event: StatusEvent) => void): () => void {
    const known = this.#followers.get(requestId)
    if (known !== undefined) known.add(follower)
    else {
      this.#followers.set(requestId, new Set([follower]))
      this.#say('subscribe', requestId)
    }
    this.#open()
    return () => this.#leave(requestId, follower)
  }

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  #leave(requestId: string, follower: (event: StatusEvent) => void): void {
    const followers = this.#followers.get(requestId)
    followers?.delete(follower)
    if (followers?.size !== 0) return
    this.#followers.delete(requestId)
    this.#say('unsubscribe', requestId)
    if (this.#followers.size > 0) return
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#socket?.close()
  }

  #say(type: 'subscribe' | 'unsubscribe', id: string): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    this.#socket.send(JSON.stringify({ type, event: 'request.status.updated', filters: { id } }))
  }

  #open(): void {
    if (this.#socket !== null || this.#retry !== undefined) return
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`)
    this.#socket = socket
    socket.addEventListener('open', () => {
      this.#pause = FIRST_PAUSE_MS
      for (const id of this.#followers.keys()) this.#say('subscribe', id)
      this.#become('live')
    })
    socket.addEventListener('message', ({ data }) => this.#hear(String(data)))
    socket.addEventListener('close', () => this.#closed())
  }

  #closed(): void {
    this.#socket = null
    this.#become('polling')
    if (this.#followers.size === 0) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#open()
    }, this.#pause)
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS)
  }

  #hear(text: string): void {
    let data: unknown
    try {
      data = Reflect.get(Object(JSON.parse(text)), 'data')
    } catch {
      return
    }
    const id: unknown = Reflect.get(Object(data), 'requestId')
    if (typeof id !== 'string') return
    // CAST: the service's own event; followers read a status of it.
    for (const follower of this.#followers.get(id.toLowerCase()) ?? []) follower(data as StatusEvent)
  }

  #become(state: LiveState): void {
    if (this.state === state) return
    this.state = state
    for (const watcher of this.#watchers) watcher()
  }
}

const feed = new StatusFeed()

/** Whether changes are pushed now. */
export const useLiveState = (): LiveState =>
  useSyncExternalStore(
    (watcher) => feed.watch(watcher),
    () => feed.state,
    () => feed.state,
  )

/** Calls `onEvent` with every change of a request's status; null follows nothing. */
export const useStatusEvents = (requestId: string | null, onEvent: (event: StatusEvent) => void): void => {
  const latest = useRef(onEvent)
  latest.current = onEvent
  useEffect(() => {
    if (requestId === null) return
    return feed.follow(requestId.toLowerCase(), (event) => latest.current(event))
  }, [requestId])
}
