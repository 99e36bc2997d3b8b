import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { Said } from './ToastList.js'

let said: readonly Said[] = []
let lastId = 0
const listeners = new Set<() => void>()
const change = (next: readonly Said[]): void => {
  said = next
  for (const listener of listeners) listener()
}

/** Says in the corner what was done, for some seconds. */
export const toast = (text: string, tone: Said['tone'] = 'good'): void => {
  lastId += 1
  change([...said.slice(-3), { id: lastId, text, tone }])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const leave = (id: number): void => change(said.filter((each) => each.id !== id))

const ToastList = lazy(async () => ({ default: (await import('./ToastList.js')).ToastList }))

/** Where toasts appear. Their script is loaded with the first. */
export const Toasts = () => {
  const shown = useSyncExternalStore(
    subscribe,
    () => said,
    () => said,
  )
  if (lastId === 0) return null
  return (
    <Suspense>
      <ToastList shown={shown} leave={leave} />
    </Suspense>
  )
}
