import { Toast } from 'radix-ui'
import { useSyncExternalStore } from 'react'

interface Said {
  readonly id: number
  readonly text: string
  readonly tone: 'good' | 'bad'
}

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

export const Toasts = () => {
  const shown = useSyncExternalStore(subscribe, () => said)
  return (
    <Toast.Provider duration={5_000}>
      {shown.map(({ id, text, tone }) => (
        <Toast.Root
          key={id}
          className="toast"
          data-tone={tone}
          onOpenChange={(isOpen) => !isOpen && change(said.filter((each) => each.id !== id))}
        >
          <Toast.Description>{text}</Toast.Description>
        </Toast.Root>
      ))}
      <Toast.Viewport className="toasts" />
    </Toast.Provider>
  )
}
