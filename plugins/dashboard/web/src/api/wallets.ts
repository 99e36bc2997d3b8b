import { useSyncExternalStore } from 'react'

/** A wallet of the browser (EIP-1193). */
export interface WalletProvider {
  request(call: { readonly method: string; readonly params?: readonly unknown[] }): Promise<unknown>
}

/** A wallet that announced itself (EIP-6963). Its name and icon are its own words. */
export interface AnnouncedWallet {
  readonly info: { readonly uuid: string; readonly name: string; readonly icon: string; readonly rdns: string }
  readonly provider: WalletProvider
}

let announced: readonly AnnouncedWallet[] = []
const listeners = new Set<() => void>()

const isWallet = (value: unknown): value is AnnouncedWallet => {
  const info: unknown = Reflect.get(Object(value), 'info')
  const provider: unknown = Reflect.get(Object(value), 'provider')
  return (
    typeof Reflect.get(Object(info), 'uuid') === 'string' &&
    typeof Reflect.get(Object(provider), 'request') === 'function'
  )
}

const listen = (): void => {
  window.addEventListener('eip6963:announceProvider', (event) => {
    const detail: unknown = event instanceof CustomEvent ? event.detail : null
    if (!isWallet(detail) || announced.some(({ info }) => info.uuid === detail.info.uuid)) return
    announced = [...announced, detail]
    for (const listener of listeners) listener()
  })
}
let listening = false

const subscribe = (listener: () => void): (() => void) => {
  if (!listening) listen()
  listening = true
  listeners.add(listener)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => listeners.delete(listener)
}

/** The wallets of this browser, as they announce themselves. */
export const useWallets = (): readonly AnnouncedWallet[] =>
  useSyncExternalStore(
    subscribe,
    () => announced,
    () => announced,
  )
